#include "control/document/generated_text.h"

#include <algorithm>

namespace hs::control {
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
    for (const Side side : kSides) {
        SideSetup& setup = changed.side(side);
        // Those of the other side, too, which may have been put here.
        if (std::ranges::none_of(before.sides, [&](const SideSetup& known) {
                return known.model == setup.model && known.prompt == setup.prompt &&
                       (known.generated == setup.generated || &known == &before.side(side));
            }))
            setup.generated.clear();
    }
    if (lastStep(changed) == 0)
        changed.step.reset();
}

}  // namespace hs::control
