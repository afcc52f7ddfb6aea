#include "control/document/generated_text.h"

#include <algorithm>

namespace hs::control {
namespace {

bool haveSamePrompt(const Document& one, const Document& other)
{
    return one.prompt == other.prompt && one.isChat == other.isChat && one.tokenIds == other.tokenIds &&
           one.hasBos == other.hasBos;
}

}  // namespace

std::vector<std::int64_t> generatedShown(const Document& document, Side side)
{
    const std::vector<std::int64_t>& all = document.side(side).generated;
    const auto count = static_cast<std::ptrdiff_t>(all.size());
    return {all.begin(), all.begin() + std::clamp<std::ptrdiff_t>(document.step.value_or(count), 0, count)};
}

int lastStep(const Document& document)
{
    return static_cast<int>(std::max(document.sides[0].generated.size(), document.sides[1].generated.size()));
}

void forgetGenerated(Document& changed, const Document& before)
{
    const bool isSamePrompt = haveSamePrompt(changed, before);
    for (const Side side : kSides) {
        SideSetup& setup = changed.side(side);
        const bool isSameModel = setup.model == before.side(side).model;
        const bool isSwapped = std::ranges::any_of(before.sides, [&](const SideSetup& other) {
            return other.model == setup.model && other.generated == setup.generated;
        });
        if (!isSamePrompt || (!isSameModel && !isSwapped))
            setup.generated.clear();
    }
    if (lastStep(changed) == 0)
        changed.step.reset();
}

}  // namespace hs::control
