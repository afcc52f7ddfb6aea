#include "grid/block_choice.h"

#include "render/translate.h"

#include <algorithm>

namespace hs::grid {
namespace {

constexpr int kMostItems = 64;  // of a batch that are offered

/// The source of one item of a batch.
QString sourceOf(const service::MapsBlock& block, int item)
{
    return QString::fromStdString(block.source) + QLatin1Char(block.name.empty() ? '#' : '/') +
           QString::number(item);
}

}  // namespace

std::vector<BlockChoice> blockChoices(const service::OpenModel* model)
{
    std::vector<BlockChoice> choices;
    if (!model || !model->maps)
        return choices;
    const maps::Block::Facts& facts = model->maps->facts();
    service::MapsBlock shown;
    for (const service::MapsBlock& block : model->blocks) {
        const bool isShown = block.name == facts.name;
        if (isShown)
            shown = block;
        choices.push_back({block.name.empty() ? tr("without a name") : QString::fromStdString(block.name),
                           QString::fromStdString(block.source), false, isShown});
    }
    if (choices.size() == 1)
        choices.clear();
    for (int item = 0; facts.items > 1 && item < std::min(facts.items, kMostItems); ++item)
        choices.push_back({tr("Item %1 of %2").arg(item).arg(facts.items), sourceOf(shown, item), true,
                           item == facts.item});
    return choices;
}

}  // namespace hs::grid
