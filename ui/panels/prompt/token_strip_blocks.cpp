// Blocks that the user marks on the token strip.
#include "panels/prompt/token_strip.h"

#include <QInputDialog>
#include <QMenu>

namespace hs::panels {

bool TokenStrip::canMark() const
{
    const text::BlockUnit unit = m_explorer.document().blocks.unit;
    const auto run = this->run();
    return !m_axis && run && !run->set && whyNotRead().isEmpty() &&
           (unit == text::BlockUnit::Tokens || unit == text::BlockUnit::Own);
}

void TokenStrip::changeOwnBlocks(const QString& what, const std::function<void(text::BlockChoice&)>& change)
{
    m_explorer.edit(
        what,
        [&](control::Document& document) {
            text::BlockChoice blocks = document.blocks;
            change(blocks);
            control::setBlocks(document, blocks);
        },
        QStringLiteral("pin-%1").arg(m_clicks));
    ++m_clicks;
}

void TokenStrip::mark(text::TokenSpan chips)
{
    const text::TokenSpan tokens(tokensAt(chips.first).first, tokensAt(chips.last).last);
    changeOwnBlocks(tr("Mark block"), [&](text::BlockChoice& blocks) { blocks.mark({tokens}); });
}

void TokenStrip::addBlockActions(QMenu& menu, int token)
{
    const text::BlockChoice& blocks = m_explorer.document().blocks;
    const control::CellSpan pinned = m_explorer.pinned(side());
    for (const auto& span : {pinned.key, pinned.query})
        if (span && span->first != span->last && span->contains(token))
            menu.addAction(tr("Make one block of them"), this, [this, chips = *span] { mark(chips); });
    const auto own = std::ranges::find_if(blocks.own, [&](const text::OwnBlock& block) {
        return token >= 0 && block.tokens.contains(tokensAt(token).first);
    });
    if (blocks.unit == text::BlockUnit::Own && own != blocks.own.end()) {
        menu.addAction(tr("Name this block…"), this, [this, block = *own] {
            bool isGiven = false;
            const QString name =
                QInputDialog::getText(this, tr("Name of the block"), tr("Shown instead of what it says:"),
                                      QLineEdit::Normal, QString::fromStdString(block.name), &isGiven);
            if (isGiven)
                changeOwnBlocks(tr("Name block"), [&](text::BlockChoice& changed) {
                    changed.mark({block.tokens, name.toStdString()});
                });
        });
        menu.addAction(tr("Dissolve this block"), this, [this, first = own->tokens.first] {
            changeOwnBlocks(tr("Dissolve block"), [&](text::BlockChoice& changed) { changed.unmark(first); });
        });
    }
    if (!blocks.own.empty())
        menu.addAction(tr("Dissolve all own blocks"), this, [this] {
            changeOwnBlocks(tr("Dissolve blocks"), [](text::BlockChoice& changed) { changed.own.clear(); });
        });
}

}  // namespace hs::panels
