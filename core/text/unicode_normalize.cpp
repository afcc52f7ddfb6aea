#include "text/unicode_normalize.h"

#include "text/unicode_data.h"
#include "text/utf8.h"

#include <algorithm>

namespace hs::text {

namespace {

constexpr char32_t kSyllableBase = 0xAC00, kLeadBase = 0x1100, kVowelBase = 0x1161, kTailBase = 0x11A7;
constexpr char32_t kLeads = 19, kVowels = 21, kTails = 28, kSyllables = kLeads * kVowels * kTails;

struct Character {
    char32_t code;
    unsigned combiningClass;
    ByteSpan origin;
};

using Characters = std::vector<Character>;

bool isCompatibilityForm(NormalForm form)
{
    return form == NormalForm::Nfkc || form == NormalForm::Nfkd;
}

bool isComposedForm(NormalForm form)
{
    return form == NormalForm::Nfc || form == NormalForm::Nfkc;
}

void decompose(char32_t code, ByteSpan origin, bool compatibility, Characters& out)
{
    if (code < 0x80) {
        out.push_back({code, 0, origin});
        return;
    }
    if (code - kSyllableBase < kSyllables) {
        const char32_t index = code - kSyllableBase;
        out.push_back({kLeadBase + index / (kVowels * kTails), 0, origin});
        out.push_back({kVowelBase + index / kTails % kVowels, 0, origin});
        if (index % kTails)
            out.push_back({kTailBase + index % kTails, 0, origin});
        return;
    }
    const Decomposition decomposition = decompositionOf(code);
    if (decomposition.parts.empty() || (decomposition.isCompatibility && !compatibility)) {
        out.push_back({code, combiningClass(code), origin});
        return;
    }
    for (const std::uint32_t part : decomposition.parts)
        decompose(part, origin, compatibility, out);
}

/// Sorts each run of combining marks by class; the sort is stable, as the standard asks. Origins
/// keep their places, so that the bytes behind a text stay in order.
void reorderMarks(Characters& characters)
{
    const auto isMark = [](const Character& c) { return c.combiningClass != 0; };
    const auto byClass = [](const Character& a, const Character& b) {
        return a.combiningClass < b.combiningClass;
    };
    std::vector<ByteSpan> origins;
    for (auto run = characters.begin(); run != characters.end();) {
        run = std::find_if(run, characters.end(), isMark);
        const auto end = std::find_if_not(run, characters.end(), isMark);
        if (!std::is_sorted(run, end, byClass)) {
            origins.clear();
            std::transform(run, end, std::back_inserter(origins),
                           [](const Character& c) { return c.origin; });
            std::stable_sort(run, end, byClass);
            for (std::size_t i = 0; i < origins.size(); ++i)
                run[static_cast<std::ptrdiff_t>(i)].origin = origins[i];
        }
        run = end;
    }
}

char32_t composeTwo(char32_t first, char32_t second)
{
    if (first - kLeadBase < kLeads && second - kVowelBase < kVowels)
        return kSyllableBase + ((first - kLeadBase) * kVowels + (second - kVowelBase)) * kTails;
    const bool isOpenSyllable = first - kSyllableBase < kSyllables && (first - kSyllableBase) % kTails == 0;
    if (isOpenSyllable && second > kTailBase && second < kTailBase + kTails)
        return first + (second - kTailBase);
    return compositionOf(first, second);
}

/// Canonical composition in place: a mark joins the last starter unless one of its own or a higher
/// class stands between them.
void compose(Characters& characters)
{
    constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    std::size_t starter = kNone, kept = 0;
    for (const Character current : characters) {
        if (starter != kNone) {
            const bool adjacent = starter + 1 == kept;
            const bool blocked = !adjacent && characters[kept - 1].combiningClass >= current.combiningClass;
            const char32_t composite = blocked ? 0 : composeTwo(characters[starter].code, current.code);
            if (composite) {
                Character& target = characters[starter];
                target.code = composite;
                target.origin.end = current.origin.end;
                continue;
            }
        }
        if (current.combiningClass == 0)
            starter = kept;
        characters[kept++] = current;
    }
    characters.resize(kept);
}

/// Text below the first combining mark has nothing to compose; ASCII is the same in all forms.
bool isNormalAlready(std::string_view text, NormalForm form)
{
    const unsigned char limit = form == NormalForm::Nfc ? 0xCC : 0x80;  // 0xCC leads U+0300
    return std::all_of(text.begin(), text.end(),
                       [&](char byte) { return static_cast<unsigned char>(byte) < limit; });
}

}  // namespace

AlignedText normalizeUnicode(const AlignedText& text, NormalForm form)
{
    if (isNormalAlready(text.text(), form))
        return text;
    Characters characters;
    characters.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const auto begin = static_cast<std::uint32_t>(at);
        const char32_t code = nextCodePoint(text.text(), at);
        decompose(code, text.origin({begin, static_cast<std::uint32_t>(at)}), isCompatibilityForm(form),
                  characters);
    }
    reorderMarks(characters);
    if (isComposedForm(form))
        compose(characters);

    AlignedText normal;
    normal.reserve(text.size());
    for (const Character& character : characters)
        normal.append(character.code, character.origin);
    return normal;
}

}  // namespace hs::text
