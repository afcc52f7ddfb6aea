#include "text/unicode_data.h"

#include "text/utf8.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

namespace hs::text {

namespace {

struct CombiningRun {
    char32_t first, last;
    unsigned combiningClass;
};

/// Upper-case letters first, first + step, … last; each maps to itself plus distance.
struct LowerRun {
    char32_t first, last;
    char32_t step;
    std::int32_t distance;
};

struct StandInRun {
    char32_t first, last;
    char32_t standIn;
};

#include "text/unicode_tables.inc"

/// The run that holds `code` in a sorted table, or null.
template <class Run, std::size_t count>
const Run* findRun(const Run (&runs)[count], char32_t code)
{
    const Run* run = std::upper_bound(std::begin(runs), std::end(runs), code,
                                      [](char32_t value, const Run& r) { return value < r.first; });
    return run != std::begin(runs) && code <= std::prev(run)->last ? std::prev(run) : nullptr;
}

class DecompositionIndex {
public:
    DecompositionIndex()
    {
        for (std::size_t at = 0; at < std::size(kDecompositions);) {
            const std::uint32_t header = kDecompositions[at];
            const char32_t code = header & 0x1FFFFF;
            const std::span parts(kDecompositions + at + 1, header >> 21 & 0x1F);
            m_entries.push_back({code, {parts, (header >> 26 & 1) != 0}});
            if (header >> 27 & 1)
                m_composites.push_back({key(parts[0], parts[1]), code});
            at += 1 + parts.size();
        }
        std::sort(m_composites.begin(), m_composites.end());
    }

    Decomposition decomposition(char32_t code) const
    {
        const auto found = std::lower_bound(m_entries.begin(), m_entries.end(), code,
                                            [](const Entry& e, char32_t value) { return e.code < value; });
        return found != m_entries.end() && found->code == code ? found->decomposition : Decomposition{};
    }

    char32_t composite(char32_t first, char32_t second) const
    {
        const auto found =
            std::lower_bound(m_composites.begin(), m_composites.end(), std::pair(key(first, second), U'\0'));
        return found != m_composites.end() && found->first == key(first, second) ? found->second : 0;
    }

private:
    struct Entry {
        char32_t code;
        Decomposition decomposition;
    };

    static std::uint64_t key(char32_t first, char32_t second) { return std::uint64_t{first} << 32 | second; }

    std::vector<Entry> m_entries;                                  // by code point
    std::vector<std::pair<std::uint64_t, char32_t>> m_composites;  // by key
};

const DecompositionIndex& decompositionIndex()
{
    static const DecompositionIndex index;
    return index;
}

}  // namespace

bool isWhitespace(char32_t code)
{
    return (code >= 0x09 && code <= 0x0D) || code == 0x20 || code == 0x85 || code == 0xA0 || code == 0x1680 ||
           (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 || code == 0x202F ||
           code == 0x205F || code == 0x3000;
}

unsigned combiningClass(char32_t code)
{
    const CombiningRun* run = code < kCombiningRuns[0].first ? nullptr : findRun(kCombiningRuns, code);
    return run ? run->combiningClass : 0;
}

Decomposition decompositionOf(char32_t code)
{
    return decompositionIndex().decomposition(code);
}

char32_t compositionOf(char32_t first, char32_t second)
{
    return decompositionIndex().composite(first, second);
}

void appendLowerCase(std::vector<char32_t>& out, char32_t code)
{
    if (code == 0x130) {  // the one letter whose lower case is two code points
        out.insert(out.end(), {U'i', 0x307});
        return;
    }
    const LowerRun* run = findRun(kLowerRuns, code);
    const bool isUpper = run && (code - run->first) % run->step == 0;
    out.push_back(isUpper ? code + static_cast<char32_t>(run->distance) : code);
}

bool replaceNewCodePoints(std::string_view text, std::string& out)
{
    bool replaced = false;
    for (std::size_t at = 0; at < text.size();) {
        if (utf8Length(text[at]) < 3) {
            at += utf8Length(text[at]);
            continue;
        }
        const std::size_t begin = at;
        const StandInRun* run = findRun(kStandInRuns, nextCodePoint(text, at));
        if (!run)
            continue;
        if (!std::exchange(replaced, true))
            out = text;
        std::string standIn;
        appendUtf8(standIn, run->standIn);
        out.replace(begin, standIn.size(), standIn);
    }
    return replaced;
}

std::string_view punctuationGaps()
{
    return kPunctuationGaps;
}

}  // namespace hs::text
