#include "text/prompt_pairs.h"

#include "base/failure.h"
#include "text/pair_maker.h"
#include "text/single_token.h"

#include <algorithm>
#include <set>

namespace hs::text {
namespace {

constexpr int kTries = 1000;  // for a pair that differs from those before

/// Whether the tokens of both texts differ in one place that is not the last.
bool isSound(const Tokenizer& tokenizer, const PromptPair& pair)
{
    const std::vector<std::int64_t> clean = bareIds(tokenizer, pair.clean);
    const std::vector<std::int64_t> corrupted = bareIds(tokenizer, pair.corrupted);
    if (clean.size() != corrupted.size() || clean.back() != corrupted.back())
        return false;
    std::size_t different = 0;
    for (std::size_t position = 0; position < clean.size(); ++position)
        different += clean[position] != corrupted[position];
    return different == 1;
}

DrawPair drawerOf(const Tokenizer& tokenizer, PairTask task, Draws& draws)
{
    switch (task) {
    case PairTask::IndirectObjects: return indirectObjectPairs(tokenizer);
    case PairTask::GreaterThan: return greaterThanPairs(tokenizer);
    case PairTask::Opposites: return oppositePairs(tokenizer);
    case PairTask::Induction: return inductionPairs(tokenizer, draws);
    }
    fail(ErrorCode::Internal, "There is no such task; choose one that --help names.");
}

/// Different pairs, each fit for patching.
std::vector<PromptPair> drawPairs(const Tokenizer& tokenizer, PairTask task, int count, std::uint64_t seed)
{
    Draws draws({static_cast<std::uint64_t>(task), seed});
    const DrawPair draw = drawerOf(tokenizer, task, draws);
    std::vector<PromptPair> pairs;
    std::set<std::string> seen;
    for (int tries = 0; std::ssize(pairs) < count; ++tries) {
        if (tries == kTries)
            fail(ErrorCode::BadRequest,
                 "There are only " + std::to_string(pairs.size()) +
                     " different pairs of this task in this tokenizer's words; ask for "
                     "fewer of them.");
        PromptPair pair = draw(draws);
        if (!isSound(tokenizer, pair) || !seen.insert(pair.clean + "\n" + pair.corrupted).second)
            continue;
        pairs.push_back(std::move(pair));
        tries = 0;
    }
    return pairs;
}

}  // namespace

std::vector<std::int64_t> bareIds(const Tokenizer& tokenizer, const std::string& text)
{
    return orThrow(tokenizer.encode(text, /*addSpecial=*/false)).ids;
}

std::optional<std::int64_t> nextToken(const Tokenizer& tokenizer, const std::string& start,
                                      const std::string& more)
{
    const std::vector<std::int64_t> before = bareIds(tokenizer, start);
    const std::vector<std::int64_t> after = bareIds(tokenizer, start + more);
    if (after.size() != before.size() + 1 || !std::equal(before.begin(), before.end(), after.begin()))
        return std::nullopt;
    return after.back();
}

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

std::string misread(const Tokenizer& tokenizer, const std::string& text)
{
    const std::string back = orThrow(tokenizer.decode(bareIds(tokenizer, text), /*skipSpecial=*/true));
    const std::size_t begin = back.find_first_not_of(' ');
    return begin != std::string::npos && back.substr(begin) == text ? std::string() : back;
}

void refuseText(const Tokenizer& tokenizer, const std::string& text)
{
    fail(ErrorCode::Unsupported, "This tokenizer cannot write \"" + text + "\", it reads \"" +
                                     misread(tokenizer, text) + "\"" + kOwnPairsRemedy);
}

Result<std::vector<PromptPair>> makePairs(const Tokenizer& tokenizer, PairTask task, int count,
                                          std::uint64_t seed)
{
    return guarded([&] { return drawPairs(tokenizer, task, count, seed); });
}

}  // namespace hs::text
