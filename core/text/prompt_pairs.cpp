#include "text/prompt_pairs.h"

#include "base/draws.h"
#include "base/failure.h"
#include "text/pair_words.h"
#include "text/single_token.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>

namespace hs::text {
namespace {

using Ids = std::vector<std::int64_t>;

constexpr std::size_t kFewestNames = 4;
constexpr int kFewestYears = 20;  // from which to draw an earlier one, a later one and one between
constexpr int kYearsApart = 10;
constexpr int kTries = 1000;  // for a pair that differs from those before
constexpr const char* kRemedy =
    "; write pairs of your own for circuit --pairs, or use headscope demo --pairs for the demo pair.";

Ids encoded(const Tokenizer& tokenizer, const std::string& text)
{
    return orThrow(tokenizer.encode(text, /*addSpecial=*/false)).ids;
}

/// The token that `more` becomes after `start`, if it is a single one.
std::optional<std::int64_t> nextToken(const Tokenizer& tokenizer, const std::string& start,
                                      const std::string& more)
{
    const Ids before = encoded(tokenizer, start);
    const Ids after = encoded(tokenizer, start + more);
    if (after.size() != before.size() + 1 || !std::equal(before.begin(), before.end(), after.begin()))
        return std::nullopt;
    return after.back();
}

/// How to write a token so that singleToken finds it; none where it cannot be found.
std::optional<std::string> writtenAs(const Tokenizer& tokenizer, std::int64_t token, const std::string& word)
{
    for (const std::string& form : {" " + word, word})
        if (const auto found = singleToken(tokenizer, form); found && *found == token)
            return form;
    return std::nullopt;
}

std::string filled(std::string sentence, const std::string& slot, const std::string& word)
{
    for (std::size_t at = sentence.find(slot); at != std::string::npos; at = sentence.find(slot, at))
        sentence.replace(at, slot.size(), word);
    return sentence;
}

/// Whether the tokens of both texts differ in one place that is not the last.
bool isSound(const Tokenizer& tokenizer, const PromptPair& pair)
{
    const Ids clean = encoded(tokenizer, pair.clean);
    const Ids corrupted = encoded(tokenizer, pair.corrupted);
    if (clean.size() != corrupted.size() || clean.back() != corrupted.back())
        return false;
    std::size_t different = 0;
    for (std::size_t position = 0; position < clean.size(); ++position)
        different += clean[position] != corrupted[position];
    return different == 1;
}

/// What a tokenizer turns a text into that it cannot represent, as with unknown words; empty if it can.
std::string misread(const Tokenizer& tokenizer, const std::string& text)
{
    const std::string back = orThrow(tokenizer.decode(encoded(tokenizer, text), /*skipSpecial=*/true));
    const std::size_t begin = back.find_first_not_of(' ');
    return begin != std::string::npos && back.substr(begin) == text ? std::string() : back;
}

/// Draws pairs of one task.
class PairMaker {
public:
    PairMaker(const Tokenizer& tokenizer, PairTask task, std::uint64_t seed)
        : m_tokenizer(tokenizer), m_draws({static_cast<std::uint64_t>(task), seed})
    {
    }
    virtual ~PairMaker() = default;

    std::vector<PromptPair> make(int count)
    {
        std::vector<PromptPair> pairs;
        std::set<std::string> seen;
        for (int tries = 0; std::ssize(pairs) < count; ++tries) {
            if (tries == kTries)
                fail(ErrorCode::BadRequest,
                     "There are only " + std::to_string(pairs.size()) +
                         " different pairs of this task in this tokenizer's words; ask for "
                         "fewer of them.");
            PromptPair pair = draw();
            if (!isSound(m_tokenizer, pair) || !seen.insert(pair.clean + "\n" + pair.corrupted).second)
                continue;
            pairs.push_back(std::move(pair));
            tries = 0;
        }
        return pairs;
    }

protected:
    virtual PromptPair draw() = 0;

    template <class Items>
    const auto& one(const Items& items)
    {
        return items[static_cast<std::size_t>(m_draws.below(static_cast<std::int64_t>(std::size(items))))];
    }

    [[noreturn]] void refuse(const std::string& text) const
    {
        fail(ErrorCode::Unsupported, "This tokenizer cannot write \"" + text + "\", it reads \"" +
                                         misread(m_tokenizer, text) + "\"" + kRemedy);
    }

    const Tokenizer& m_tokenizer;
    Draws m_draws;
};

class IndirectObjects : public PairMaker {
public:
    IndirectObjects(const Tokenizer& tokenizer, std::uint64_t seed)
        : PairMaker(tokenizer, PairTask::IndirectObjects, seed)
    {
        for (const char* const name : kPairNames) {
            const auto token = nextToken(tokenizer, "When", std::string(" ") + name);
            const auto text = token ? writtenAs(tokenizer, *token, name) : std::nullopt;
            if (text)
                m_names.push_back({name, *text});
        }
        if (m_names.size() < kFewestNames)
            fail(ErrorCode::Unsupported, "Of " + std::to_string(kPairNames.size()) +
                                             " names this tokenizer has " + std::to_string(m_names.size()) +
                                             " as single tokens after a space, and the task needs " +
                                             std::to_string(kFewestNames) + kRemedy);
        for (const char* const form : kPairSentences)
            for (const char* const place : kPairPlaces)
                for (const char* const thing : kPairThings) {
                    const std::string sentence = filled(filled(form, "{place}", place), "{thing}", thing);
                    if (misread(tokenizer, textOf(sentence, m_names[0], m_names[1], m_names[0])).empty())
                        m_sentences.push_back(sentence);
                }
        if (m_sentences.empty())
            refuse(filled(filled(kPairSentences[0], "{place}", kPairPlaces[0]), "{thing}", kPairThings[0]));
    }

private:
    struct Name {
        std::string word;
        std::string token;  // as the answer
    };

    static std::string textOf(const std::string& sentence, const Name& first, const Name& second,
                              const Name& again)
    {
        return filled(filled(filled(sentence, "{A}", first.word), "{B}", second.word), "{S}", again.word);
    }

    PromptPair draw() override
    {
        const auto count = static_cast<std::int64_t>(m_names.size());
        const std::int64_t place = m_draws.below(count);
        const Name& first = m_names[static_cast<std::size_t>(place)];
        const Name& second =
            m_names[static_cast<std::size_t>((place + m_draws.between(1, count - 1)) % count)];
        const std::string& sentence = one(m_sentences);
        const bool isFirst = m_draws.coin();  // who is named again
        const Name& subject = isFirst ? first : second;
        const Name& object = isFirst ? second : first;
        return {textOf(sentence, first, second, subject), textOf(sentence, first, second, object),
                object.token, subject.token};
    }

    std::vector<Name> m_names;
    std::vector<std::string> m_sentences;  // with places for the names
};

class GreaterThan : public PairMaker {
public:
    GreaterThan(const Tokenizer& tokenizer, std::uint64_t seed)
        : PairMaker(tokenizer, PairTask::GreaterThan, seed)
    {
        const std::string start = "The " + std::string(kPairEvents.front()) + " lasted from the year 17";
        if (!misread(tokenizer, start).empty())
            refuse(start);
        for (int year = kFirstYear; year <= kLastYear; ++year) {
            const std::string digits = digitsOf(year);
            const auto token = nextToken(tokenizer, start, digits);
            // The year is an answer, too: the same token has to follow the prompt.
            const auto answer = nextToken(tokenizer, start + kFirstDigits + kMiddle, digits);
            if (token && token == answer && singleTokenIs(digits, *token))
                m_years.push_back(year);
        }
        if (std::ssize(m_years) < kFewestYears)
            fail(ErrorCode::Unsupported,
                 "Of the years 1702 to 1798 this tokenizer cuts " + std::to_string(m_years.size()) +
                     " into a century and one token of two digits, and the task needs " +
                     std::to_string(kFewestYears) + kRemedy);
    }

private:
    static constexpr int kFirstYear = 2;  // a model that counts needs years before and after
    static constexpr int kLastYear = 98;
    static constexpr const char* kFirstDigits = "32";
    static constexpr const char* kMiddle = " to the year 17";

    static std::string digitsOf(int year) { return (year < 10 ? "0" : "") + std::to_string(year); }

    bool singleTokenIs(const std::string& digits, std::int64_t token) const
    {
        const auto found = singleToken(m_tokenizer, digits);
        return found && *found == token;
    }

    PromptPair draw() override
    {
        int start = 0;
        int earlier = 0;
        int between = 0;
        int later = 0;
        do {
            start = one(m_years);
            earlier = one(m_years);
            between = one(m_years);
            later = one(m_years);
        } while (earlier + kYearsApart > start || between <= earlier || between > start || later <= start);
        const std::string event = "The " + std::string(one(kPairEvents)) + " lasted from the year 17";
        return {event + digitsOf(start) + kMiddle, event + digitsOf(earlier) + kMiddle, digitsOf(later),
                digitsOf(between)};
    }

    std::vector<int> m_years;
};

}  // namespace

Result<std::vector<PromptPair>> makePairs(const Tokenizer& tokenizer, PairTask task, int count,
                                          std::uint64_t seed)
{
    return guarded([&] {
        if (task == PairTask::IndirectObjects)
            return IndirectObjects(tokenizer, seed).make(count);
        return GreaterThan(tokenizer, seed).make(count);
    });
}

}  // namespace hs::text
