#include "base/head_id.h"

#include "base/failure.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace hs {
namespace {

struct Range {
    int first = 0;
    int last = 0;
};

[[noreturn]] void refuse(std::string_view item, Units units)
{
    fail(ErrorCode::BadRequest,
         "\"" + std::string(item) + "\" is not a head" +
             (units == Units::Heads ? "; write L3H7, L3H*, L4-6H0-3 or L3KV1."
                                    : " or an MLP; write L3H7, L3H*, L4-6H0-3, L3KV1 or L3MLP."));
}

/// Takes "3", "3-5" or "*" off the front of `text`.
Range takeRange(std::string_view& text, int count, std::string_view item, Units units)
{
    const auto takeNumber = [&]() {
        int number = 0;
        const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (code != std::errc() || number < 0)
            refuse(item, units);
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        return number;
    };
    if (text.starts_with('*')) {
        text.remove_prefix(1);
        return {0, count - 1};
    }
    Range range;
    range.first = range.last = takeNumber();
    if (text.starts_with('-')) {
        text.remove_prefix(1);
        range.last = takeNumber();
    }
    if (range.last < range.first)
        refuse(item, units);
    return range;
}

void requireBelow(const Range& range, int count, std::string_view item, const char* what)
{
    if (range.last >= count)
        fail(ErrorCode::BadRequest, "\"" + std::string(item) + "\" is outside the model, which has " +
                                        std::to_string(count) + " " + what + "; the last one is " +
                                        std::to_string(count - 1) + ".");
}

enum class Outside { Refused, LeftOut };

std::vector<HeadId> parse(std::string_view item, const HeadShape& shape, Outside outside, Units units)
{
    std::string_view rest = item;
    const auto takeWord = [&](std::string_view word) {
        if (!rest.starts_with(word))
            return false;
        rest.remove_prefix(word.size());
        return true;
    };
    if (!takeWord("L"))
        refuse(item, units);
    Range layers = takeRange(rest, shape.layers, item, units);
    if (takeWord(kMlpName)) {
        if (!rest.empty())
            refuse(item, units);
        if (units == Units::Heads)
            fail(ErrorCode::BadRequest,
                 "\"" + std::string(item) + "\" is an MLP, but only heads are meant here; write L3H7.");
        requireBelow(layers, shape.layers, item, "layers");
        std::vector<HeadId> mlps;
        for (int layer = layers.first; layer <= layers.last; ++layer)
            mlps.push_back(HeadId::mlpOf(layer));
        return mlps;
    }
    const bool isGroup = takeWord("KV");
    if (!isGroup && !takeWord("H"))
        refuse(item, units);
    const int headCount = isGroup ? shape.kvHeads : shape.heads;
    Range heads = takeRange(rest, headCount, item, units);
    if (!rest.empty())
        refuse(item, units);
    if (outside == Outside::Refused) {
        requireBelow(layers, shape.layers, item, "layers");
        requireBelow(heads, headCount, item, isGroup ? "key/value heads" : "heads a layer");
    }
    layers.last = std::min(layers.last, shape.layers - 1);
    heads.last = std::min(heads.last, headCount - 1);
    if (isGroup && heads.first <= heads.last) {
        const int queriesPerGroup = shape.heads / headCount;
        heads = {heads.first * queriesPerGroup, (heads.last + 1) * queriesPerGroup - 1};
    }
    std::vector<HeadId> ids;
    for (int layer = layers.first; layer <= layers.last; ++layer)
        for (int head = heads.first; head <= heads.last; ++head)
            if (shape.contains({layer, head}))
                ids.push_back({layer, head});
    if (ids.empty() && outside == Outside::Refused && shape.layers > 0)
        fail(ErrorCode::BadRequest, "\"" + std::string(item) + "\" names no head: layer " +
                                        std::to_string(layers.first) + " has " +
                                        std::to_string(shape.headsOf(layers.first)) + "; choose another.");
    return ids;
}

/// Exactly one, of a model of any size.
HeadId parseOne(std::string_view text, Units units)
{
    constexpr int kAny = std::numeric_limits<int>::max();
    // A pattern could name more heads than memory holds.
    if (text.find_first_of("*-K") != std::string_view::npos)
        fail(ErrorCode::BadRequest, "\"" + std::string(text) + "\" is not one head; write L3H7.");
    return parse(text, {kAny, kAny, kAny}, Outside::Refused, units).front();
}

}  // namespace

std::vector<HeadId> HeadShape::all(Units units) const
{
    std::vector<HeadId> ids;
    ids.reserve(static_cast<std::size_t>(total() + layers));
    for (int layer = 0; layer < layers; ++layer) {
        for (int head = 0; head < headsOf(layer); ++head)
            ids.push_back({layer, head});
        if (units == Units::HeadsAndMlps)
            ids.push_back(HeadId::mlpOf(layer));
    }
    return ids;
}

HeadId atSameDepth(HeadId head, const HeadShape& from, const HeadShape& to)
{
    // Halves are rounded up, in whole numbers.
    const auto along = [](int at, int count, int other) {
        const int steps = std::max(count - 1, 1);
        return std::clamp((2 * at * (other - 1) + steps) / (2 * steps), 0, other - 1);
    };
    const int layer = along(head.layer, from.layers, to.layers);
    return {layer,
            along(head.head, from.contains(head) ? from.headsOf(head.layer) : from.heads, to.headsOf(layer))};
}

std::string toString(HeadId id)
{
    return "L" + std::to_string(id.layer) +
           (id.isMlp() ? std::string(kMlpName) : "H" + std::to_string(id.head));
}

Result<HeadId> parseHead(std::string_view text)
{
    return guarded([&] { return parseOne(text, Units::Heads); });
}

Result<HeadId> parseUnit(std::string_view text)
{
    return guarded([&] { return parseOne(text, Units::HeadsAndMlps); });
}

Result<std::vector<HeadId>> parseHeads(std::string_view item, const HeadShape& shape)
{
    return guarded([&] { return parse(item, shape, Outside::Refused, Units::Heads); });
}

Result<std::vector<HeadId>> parseUnits(std::string_view item, const HeadShape& shape)
{
    return guarded([&] { return parse(item, shape, Outside::Refused, Units::HeadsAndMlps); });
}

Result<std::vector<HeadId>> parseHeadsWithin(std::string_view item, const HeadShape& shape)
{
    return guarded([&] { return parse(item, shape, Outside::LeftOut, Units::Heads); });
}

}  // namespace hs
