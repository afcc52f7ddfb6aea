#include "text/pair_maker.h"

#include "base/failure.h"
#include "text/pair_words.h"

#include <algorithm>

namespace hs::text {
namespace {

constexpr int kFewestYears = 20;  // from which to draw an earlier one, a later one and one between

/// A way in which tokenizers cut years: how many digits after the century are one token. What follows a
/// single one is drawn, too, and is the same in both prompts.
struct YearForm {
    int digits;
    int first;  // a model that counts needs numbers before and after
    int last;
    int fewest;  // numbers, to draw from
    int apart;   // from the earlier start to the start
};
constexpr YearForm kYearForms[] = {{2, 2, 98, kFewestYears, 10}, {1, 0, 9, 10, 2}};

std::string digitsOf(int number, int digits)
{
    const std::string text = std::to_string(number);
    return std::string(static_cast<std::size_t>(digits) - std::min<std::size_t>(digits, text.size()), '0') +
           text;
}

constexpr const char* kMiddle = " to the year 17";

std::string beginningOf(const std::string& event)
{
    return "The " + event + " lasted from the year 17";
}

/// Those that are one token after the century, and the same one as an answer.
std::vector<int> numbersIn(const YearForm& form, const Tokenizer& tokenizer, const std::string& start)
{
    std::vector<int> numbers;
    for (int number = form.first; number <= form.last; ++number) {
        const std::string digits = digitsOf(number, form.digits);
        const auto token = nextToken(tokenizer, start, digits);
        const auto answer = nextToken(tokenizer, start + "32" + kMiddle, digits);
        if (token && token == answer && writtenAs(tokenizer, *token, digits) == digits)
            numbers.push_back(number);
    }
    return numbers;
}

PromptPair drawYears(const YearForm& form, const std::vector<int>& numbers, Draws& draws)
{
    int start = 0;
    int earlier = 0;
    int between = 0;
    int later = 0;
    // With one digit the decade may stay the same, so a year between is of an earlier decade.
    const int slack = form.digits == 1 ? 1 : 0;
    do {
        start = oneOf(numbers, draws);
        earlier = oneOf(numbers, draws);
        between = oneOf(numbers, draws);
        later = oneOf(numbers, draws);
    } while (earlier + form.apart > start || between <= earlier || between > start - slack || later <= start);
    const std::string rest = form.digits == 1 ? std::to_string(draws.below(9)) : std::string();
    const std::string beginning = beginningOf(oneOf(kPairEvents, draws));
    const auto text = [&](int number) { return digitsOf(number, form.digits); };
    PromptPair pair{beginning + text(start) + rest + kMiddle,
                    beginning + text(earlier) + rest + kMiddle,
                    text(later),
                    text(between),
                    {}};
    for (const int number : numbers)
        if (number > start - slack)
            pair.answers.push_back(text(number));
    return pair;
}

}  // namespace

DrawPair greaterThanPairs(const Tokenizer& tokenizer)
{
    const std::string start = beginningOf(kPairEvents.front());
    if (!misread(tokenizer, start).empty())
        refuseText(tokenizer, start);
    std::size_t most = 0;
    for (const YearForm& form : kYearForms) {
        const std::vector<int> numbers = numbersIn(form, tokenizer, start);
        if (std::ssize(numbers) >= form.fewest)
            return [form, numbers](Draws& draws) { return drawYears(form, numbers, draws); };
        most = std::max(most, numbers.size());
    }
    fail(ErrorCode::Unsupported, "Of the years 1702 to 1798 this tokenizer cuts " + std::to_string(most) +
                                     " into a century and one token of two digits, and the task needs " +
                                     std::to_string(kFewestYears) + ", or a token for each digit" +
                                     kOwnPairsRemedy);
}

}  // namespace hs::text
