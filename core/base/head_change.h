#pragma once

#include "base/cell_id.h"
#include "base/enum_words.h"
#include "base/head_id.h"
#include "base/result.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hs {

class JsonReader;

/// Positions from `first` to `last`, both included; without a last one, all from the first on.
struct PositionRange {
    int first = 0;
    std::optional<int> last;

    /// The positions of a prompt that are meant: from `first` up to, and without, this one.
    int end(int length) const { return last && *last < length ? *last + 1 : length; }

    friend bool operator==(const PositionRange&, const PositionRange&) = default;
};

/// Rows and columns of a prompt's pattern; ends are not included.
struct CellBounds {
    int query = 0;
    int queryEnd = 0;
    int key = 0;
    int keyEnd = 0;

    bool isEmpty() const { return query >= queryEnd || key >= keyEnd; }
};

/// The cells of a pattern with these queries and keys. Its text form is "14<10", "*<0" or "8-12<2-4".
struct CellBlock {
    PositionRange queries;
    PositionRange keys;

    /// The least rows and columns that have all its cells in a prompt of that length, where no query looks at
    /// a later key.
    CellBounds boundsIn(int length) const
    {
        const int queryEnd = queries.end(length);
        return {std::max(queries.first, keys.first), queryEnd, keys.first,
                std::min(keys.end(length), queryEnd)};
    }
    bool hasCells(int length) const { return !boundsIn(length).isEmpty(); }

    friend bool operator==(const CellBlock&, const CellBlock&) = default;
};

inline CellBlock blockOf(CellId cell)
{
    return {{cell.query, cell.query}, {cell.key, cell.key}};
}

constexpr double kMostCellFactor = 2;

/// What becomes of cells. Its text form is "zero", "scale=0.5", "renormalise" or "patch".
struct CellMethod {
    enum class Kind {
        Scale,        // their weights are multiplied
        Renormalise,  // they carry nothing, and the other weights of their rows grow to the same sum
        Replace,      // they carry what they carry in another run of as many tokens (patching)
    };
    Kind kind = Kind::Scale;
    double factor = 0;  // for Scale, from 0 to kMostCellFactor

    bool isValid() const { return factor >= 0 && factor <= kMostCellFactor; }

    friend bool operator==(const CellMethod&, const CellMethod&) = default;
};

/// A change of some cells of a head's pattern, while the head goes on with the others.
struct CellEdit {
    CellBlock cells;
    CellMethod method;

    friend bool operator==(const CellEdit&, const CellEdit&) = default;
};

/// What is done to one head, without the runs that it takes.
struct HeadChange {
    enum class Kind {
        Zero,     // its output z = 0
        Mean,     // z = its mean over this run's positions
        Replace,  // z = the same head's z in another run of as many tokens (patching)
        Cells,    // some cells of its pattern are changed, one edit after the other
    };
    Kind kind = Kind::Zero;
    std::vector<CellEdit> cells;  // for Cells only, where there is at least one

    HeadChange(Kind what = Kind::Zero) : kind(what) {}

    /// Whether the head as a whole gives something else.
    bool isWhole() const { return kind != Kind::Cells; }
    /// Whether it takes another run.
    bool isPatched() const;

    friend bool operator==(const HeadChange&, const HeadChange&) = default;
};

constexpr auto enumWords(HeadChange::Kind)
{
    using Kind = HeadChange::Kind;
    return std::to_array<EnumWord<Kind>>(
        {{Kind::Zero, "zero"}, {Kind::Mean, "mean"}, {Kind::Replace, "patch"}});
}

/// Whether the head as a whole gives something else, in a map of heads to what is done to them.
template <class Changes>
bool isSwitchedOff(const Changes& changes, HeadId head)
{
    const auto at = changes.find(head);
    return at != changes.end() && at->second.kind != HeadChange::Kind::Cells;
}

std::string toString(const CellBlock& block);
std::string toString(const CellMethod& method);
Result<CellMethod> parseCellMethod(std::string_view text);

/// The text form: a word, or blocks and what becomes of them: "[14<10]", "[*<0]:renormalise",
/// "[2<1]:scale=0.5[8-12<2-4]:patch".
std::string toString(const HeadChange& change);

/// Reads it, where a file should have one.
HeadChange headChangeFrom(const JsonReader& reader);

/// Reads it. Blocks without a method take that of the blocks behind them, or carry nothing.
Result<HeadChange> parseHeadChange(std::string_view text);

/// The change as far as a prompt of that length has its cells; none if it has none of them.
std::optional<HeadChange> within(const HeadChange& change, int length);

/// The same head with one more change: a change of the whole head stands, or replaces those of cells.
HeadChange together(HeadChange change, const HeadChange& more);

}  // namespace hs
