#include "fuzz/target.h"

#include "base/head_id.h"

#include <algorithm>

namespace hs::fuzz {
namespace {

constexpr HeadShape kShape{12, 8, 2};

void checkOneHead(std::string_view input)
{
    const Result<HeadId> head = parseHead(input);
    if (!head)
        return;
    require(head->layer >= 0 && head->head >= 0, "a head is counted from 0");
    const Result<HeadId> again = parseHead(toString(*head));
    require(again && *again == *head, "a head reads as it is written");
}

void check(std::string_view input)
{
    checkOneHead(input);
    const auto within = parseHeadsWithin(input, kShape);
    const auto all = parseHeads(input, kShape);
    require(!all || within, "what names heads of the model is well formed");
    if (!within)
        return;
    require(std::ranges::all_of(*within, [](HeadId head) { return kShape.contains(head); }),
            "heads are those of the model");
    require(std::ranges::is_sorted(*within) && std::ranges::adjacent_find(*within) == within->end(),
            "heads come in order, each once");
    require(!all || *all == *within, "nothing is left out of what the model has");
}

const Target kTarget("head_list", check);

}  // namespace
}  // namespace hs::fuzz
