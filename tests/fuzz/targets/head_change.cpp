#include "fuzz/target.h"

#include "base/head_change.h"

namespace hs::fuzz {
namespace {

void checkBounds(const HeadChange& change, int length)
{
    const auto kept = within(change, length);
    require(kept.has_value() || !change.isWhole(), "a whole head is in every prompt");
    if (!kept)
        return;
    for (const CellEdit& edit : kept->cells) {
        const CellBounds bounds = edit.cells.boundsIn(length);
        require(!bounds.isEmpty(), "what is kept has cells");
        require(bounds.query >= 0 && bounds.queryEnd <= length, "queries are those of the prompt");
        require(bounds.key >= 0 && bounds.keyEnd <= bounds.queryEnd, "no query looks at a later key");
    }
}

void check(std::string_view input)
{
    const Result<HeadChange> change = parseHeadChange(input);
    if (!change)
        return requireRefusal(change.error());
    const Result<HeadChange> again = parseHeadChange(toString(*change));
    require(again && *again == *change, "a change reads as it is written");
    for (const int length : {1, 7, 4096})
        checkBounds(*change, length);
}

const Target kTarget("head_change", check);

}  // namespace
}  // namespace hs::fuzz
