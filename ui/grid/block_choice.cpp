#include "grid/block_choice.h"

#include "render/translate.h"

#include <algorithm>

namespace hs::grid {
namespace {

constexpr int kMostItems = 64;  // of a batch that are offered

/// A source of a block: of an item, with its number.
QString sourceOf(const QString& block, int item)
{
    return block + (block.contains(QLatin1Char('#')) ? QLatin1Char('/') : QLatin1Char('#')) +
           QString::number(item);
}

}  // namespace

std::vector<BlockChoice> blockChoices(const service::OpenModel* model)
{
    std::vector<BlockChoice> choices;
    if (!model || !model->maps)
        return choices;
    const maps::Block::Facts& facts = model->maps->facts();
    const QString own = QString::fromStdString(facts.name);
    QString shown;
    for (const std::string& block : model->blocks) {
        const QString source = QString::fromStdString(block);
        const QString name = source.section(QLatin1Char('#'), 1);
        const bool isShown = name == own;
        if (isShown)
            shown = source;
        choices.push_back({name.isEmpty() ? tr("without a name") : name, source, false, isShown});
    }
    if (choices.size() == 1)
        choices.clear();
    for (int item = 0; facts.items > 1 && item < std::min(facts.items, kMostItems); ++item)
        choices.push_back({tr("Item %1 of %2").arg(item).arg(facts.items), sourceOf(shown, item), true,
                           item == facts.item});
    return choices;
}

}  // namespace hs::grid
