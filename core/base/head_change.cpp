#include "base/head_change.h"

#include "base/failure.h"
#include "base/json_reader.h"
#include "base/number_text.h"
#include "base/untrusted_text.h"

#include <charconv>

namespace hs {
namespace {

constexpr std::string_view kScale = "scale=";
constexpr std::string_view kRenormalise = "renormalise";

constexpr std::string_view kZero = "zero";
constexpr std::string_view kPatch = "patch";

/// Reads a change from its front on.
class ChangeReader {
public:
    explicit ChangeReader(std::string_view text) : m_whole(text), m_rest(text) {}

    HeadChange change()
    {
        if (!m_rest.starts_with('[')) {
            const std::optional<HeadChange::Kind> kind = fromWord<HeadChange::Kind>(m_rest);
            if (!kind)
                refuse();
            return *kind;
        }
        HeadChange change(HeadChange::Kind::Cells);
        std::size_t withoutMethod = 0;  // the first such block
        while (!m_rest.empty()) {
            change.cells.push_back({block(), {}});
            if (!take(":"))
                continue;
            const CellMethod known = method();
            for (; withoutMethod < change.cells.size(); ++withoutMethod)
                change.cells[withoutMethod].method = known;
        }
        return change;
    }

    CellMethod methodAlone()
    {
        const CellMethod alone = method();
        if (!m_rest.empty())
            refuse();
        return alone;
    }

private:
    [[noreturn]] void refuse() const
    {
        fail(ErrorCode::BadRequest,
             quotedName(m_whole) + " is no change of a head; use :zero or :mean, or name cells, the query "
                                   "first: [14<10], [*<0]:renormalise, [8-12<2-4]:scale=0.5.");
    }

    bool take(std::string_view text)
    {
        if (!m_rest.starts_with(text))
            return false;
        m_rest.remove_prefix(text.size());
        return true;
    }

    template <class Number>
    Number number()
    {
        Number read = 0;
        const auto [end, code] = std::from_chars(m_rest.data(), m_rest.data() + m_rest.size(), read);
        if (code != std::errc())
            refuse();
        m_rest.remove_prefix(static_cast<std::size_t>(end - m_rest.data()));
        return read;
    }

    PositionRange range()
    {
        if (take("*"))
            return {};
        PositionRange range;
        range.first = number<int>();
        range.last = take("-") ? number<int>() : range.first;
        if (range.first < 0 || *range.last < range.first)
            refuse();
        return range;
    }

    CellBlock block()
    {
        CellBlock block;
        if (!take("["))
            refuse();
        block.queries = range();
        if (!take("<"))
            refuse();
        block.keys = range();
        if (!take("]"))
            refuse();
        if (block.queries.last && *block.queries.last < block.keys.first)
            fail(ErrorCode::BadRequest, quotedName(m_whole) +
                                            " has no cell, since no query looks at a later "
                                            "key; write the later position first: [14<10].");
        return block;
    }

    CellMethod method()
    {
        CellMethod method;
        if (take(kScale)) {
            method.factor = number<double>();
            if (!method.isValid())
                fail(ErrorCode::BadRequest,
                     quotedName(m_whole) + " scales by a factor that is not from 0 to 2; choose another.");
        } else if (take(kRenormalise)) {
            method.kind = CellMethod::Kind::Renormalise;
        } else if (take(kPatch)) {
            method.kind = CellMethod::Kind::Replace;
        } else if (!take(kZero)) {
            refuse();
        }
        if (!m_rest.empty() && !m_rest.starts_with('['))
            refuse();
        return method;
    }

    std::string_view m_whole;
    std::string_view m_rest;
};

std::string toString(const PositionRange& range)
{
    if (!range.last)
        return "*";
    return std::to_string(range.first) + (*range.last > range.first ? "-" + std::to_string(*range.last) : "");
}

}  // namespace

bool HeadChange::isPatched() const
{
    return kind == Kind::Replace || std::ranges::any_of(cells, [](const CellEdit& edit) {
               return edit.method.kind == CellMethod::Kind::Replace;
           });
}

std::string toString(const CellBlock& block)
{
    return toString(block.queries) + "<" + toString(block.keys);
}

std::string toString(const CellMethod& method)
{
    switch (method.kind) {
    case CellMethod::Kind::Scale: break;
    case CellMethod::Kind::Renormalise: return std::string(kRenormalise);
    case CellMethod::Kind::Replace: return std::string(kPatch);
    }
    if (method.factor == 0)
        return std::string(kZero);
    return std::string(kScale) + numberText(method.factor);
}

std::string toString(const HeadChange& change)
{
    if (change.isWhole())
        return std::string(wordOf(change.kind));
    std::string text;
    for (std::size_t index = 0; index < change.cells.size(); ++index) {
        const auto& [cells, method] = change.cells[index];
        text += "[" + toString(cells) + "]";
        // The method that is meant anyway is left out behind the last block.
        if (index + 1 < change.cells.size() || method != CellMethod())
            text += ":" + toString(method);
    }
    return text;
}

Result<HeadChange> parseHeadChange(std::string_view text)
{
    return guarded([&] { return ChangeReader(text).change(); });
}

Result<CellMethod> parseCellMethod(std::string_view text)
{
    return guarded([&] { return ChangeReader(text).methodAlone(); });
}

HeadChange headChangeFrom(const JsonReader& reader)
{
    Result<HeadChange> change = parseHeadChange(reader.text());
    if (!change)
        reader.refuse("one of " + listOfWords<HeadChange::Kind>("\"") + ", or cells such as \"[14<10]\"");
    return std::move(*change);
}

std::optional<HeadChange> within(const HeadChange& change, int length)
{
    HeadChange kept(change.kind);
    for (CellEdit edit : change.cells) {
        if (!edit.cells.hasCells(length))
            continue;
        for (PositionRange* const range : {&edit.cells.queries, &edit.cells.keys})
            if (range->last)
                range->last = std::min(*range->last, length - 1);
        kept.cells.push_back(edit);
    }
    return kept.isWhole() || !kept.cells.empty() ? std::optional(kept) : std::nullopt;
}

HeadChange together(HeadChange change, const HeadChange& more)
{
    if (more.isWhole())
        return more;
    if (!change.isWhole())
        change.cells.insert(change.cells.end(), more.cells.begin(), more.cells.end());
    return change;
}

}  // namespace hs
