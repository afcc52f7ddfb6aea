#include "panels/prompt/block_menu.h"

#include <QActionGroup>

namespace hs::panels {

std::vector<BlockUnitWords> blockUnits()
{
    using text::BlockUnit;
    return {
        {BlockUnit::Tokens, BlockMenu::tr("&Tokens"), BlockMenu::tr("A cell for each pair of tokens")},
        {BlockUnit::Words, BlockMenu::tr("&Words"), BlockMenu::tr("Marks are words of their own")},
        {BlockUnit::Sentences, BlockMenu::tr("&Sentences"),
         BlockMenu::tr("A sentence ends with a full stop, a question or exclamation mark, or its line")},
        {BlockUnit::Lines, BlockMenu::tr("&Lines"), BlockMenu::tr("Empty lines belong to the one before")},
        {BlockUnit::Messages, BlockMenu::tr("&Messages"),
         BlockMenu::tr("Each message of the chat, with what the template puts around it")},
        {BlockUnit::Own, BlockMenu::tr("&Own blocks"),
         BlockMenu::tr("Drag over the tokens below to make one block of them; right-click one to name it")},
    };
}

QString whyNotCut(const control::Explorer& explorer, text::BlockUnit unit)
{
    const control::Document& document = explorer.document();
    if (unit == text::BlockUnit::Tokens)
        return {};
    if (document.set.average)
        return BlockMenu::tr("A set's average is of tokens; look at one prompt to see blocks.");
    if (unit == text::BlockUnit::Messages && !document.prompt(Side::Left).isChat &&
        !document.prompt(Side::Right).isChat)
        return BlockMenu::tr("The prompt is no chat, so it has no messages; press Chat to write some.");
    return explorer.whyNoRun();
}

void cutInto(control::Document& document, text::BlockUnit unit)
{
    text::BlockChoice blocks = document.blocks;
    blocks.unit = unit;
    control::setBlocks(document, blocks);
}

BlockMenu::BlockMenu(control::Explorer& explorer, QWidget* parent) : QMenu(parent), m_explorer(explorer)
{
    setToolTipsVisible(true);
    connect(this, &QMenu::aboutToShow, this, &BlockMenu::fill);
    fill();
}

void BlockMenu::fill()
{
    clear();
    for (const auto& [unit, name, tip] : blockUnits()) {
        QAction* const action = addAction(name, this, [this, unit = unit] {
            m_explorer.edit(tr("Blocks of the text"),
                            [unit](control::Document& document) { cutInto(document, unit); });
        });
        const QString problem = whyNotCut(m_explorer, unit);
        action->setEnabled(problem.isEmpty());
        action->setToolTip(problem.isEmpty() ? tip : problem);
        action->setCheckable(true);
        action->setChecked(m_explorer.document().blocks.unit == unit);
    }
}

QString BlockMenu::words() const
{
    const text::BlockUnit chosen = m_explorer.document().blocks.unit;
    for (const auto& [unit, name, tip] : blockUnits())
        if (unit == chosen && unit != text::BlockUnit::Tokens)
            return tr("&Blocks: %1").arg(QString(name).remove(QLatin1Char('&')).toLower());
    return tr("&Blocks");
}

}  // namespace hs::panels
