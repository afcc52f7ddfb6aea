#include "stats/head_filter.h"

#include "base/failure.h"
#include "stats/filter_scanner.h"
#include "stats/metric_table.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hs::stats {
namespace {

using Condition = std::function<bool(HeadId, const HeadStats&)>;

constexpr int kDeepest = 100;  // nested brackets and negations
constexpr std::size_t kLongestQuote = 40;

std::string quoted(std::string_view word)
{
    return '"' + std::string(word.substr(0, kLongestQuote)) + (word.size() > kLongestQuote ? "…\"" : "\"");
}

const Metric* findMetric(std::string_view word)
{
    std::string name(word);
    std::ranges::transform(name, name.begin(), [](char c) { return c == '-' ? '_' : toLower(c); });
    const auto found = std::ranges::find(allMetrics(), std::string_view(name), &Metric::name);
    return found == allMetrics().end() ? nullptr : &*found;
}

std::string metricNames()
{
    std::string names;
    for (const Metric& metric : allMetrics())
        names += (names.empty() ? "" : ", ") + std::string(metric.name);
    return names;
}

enum class Comparison { Less, LessEqual, Greater, GreaterEqual, Equal, Unequal };

bool holds(double value, Comparison comparison, double number)
{
    switch (comparison) {
    case Comparison::Less: return value < number;
    case Comparison::LessEqual: return value <= number;
    case Comparison::Greater: return value > number;
    case Comparison::GreaterEqual: return value >= number;
    case Comparison::Equal: return value == number;
    case Comparison::Unequal: return !std::isnan(value) && value != number;
    }
    return false;
}

Condition anyOf(std::vector<Condition> parts)
{
    if (parts.size() == 1)
        return std::move(parts.front());
    return [parts = std::move(parts)](HeadId head, const HeadStats& stats) {
        return std::ranges::any_of(parts, [&](const Condition& part) { return part(head, stats); });
    };
}

Condition allOf(std::vector<Condition> parts)
{
    if (parts.size() == 1)
        return std::move(parts.front());
    return [parts = std::move(parts)](HeadId head, const HeadStats& stats) {
        return std::ranges::all_of(parts, [&](const Condition& part) { return part(head, stats); });
    };
}

/// Recursive descent: disjunction → conjunction → negation or bracket → heads or comparison.
class Parser {
public:
    Parser(std::string_view text, const HeadShape& shape) : m_scanner(text), m_shape(shape) {}

    /// None for an empty text. Throws Failure.
    std::optional<Condition> all()
    {
        if (m_scanner.isAtEnd())
            return std::nullopt;
        Condition condition = disjunction();
        if (!m_scanner.isAtEnd())
            refuse("The filter cannot be understood from " + m_scanner.place() +
                   " on; join conditions with & or | and close every bracket once.");
        return condition;
    }

private:
    Condition disjunction()
    {
        std::vector<Condition> parts;
        do
            parts.push_back(conjunction());
        while (m_scanner.takeSign("||") || m_scanner.takeSign("|") || m_scanner.takeSign(",") ||
               m_scanner.takeKeyword("or"));
        return anyOf(std::move(parts));
    }

    Condition conjunction()
    {
        std::vector<Condition> parts;
        do
            parts.push_back(unary());
        while (m_scanner.takeSign("&&") || m_scanner.takeSign("&") || m_scanner.takeKeyword("and"));
        return allOf(std::move(parts));
    }

    Condition unary()
    {
        if (++m_depth > kDeepest)
            refuse("The filter nests more than " + std::to_string(kDeepest) + " levels deep at " +
                   m_scanner.place() + "; take out some brackets.");
        Condition condition;
        if (m_scanner.takeSign("!") || m_scanner.takeKeyword("not"))
            condition = [inner = unary()](HeadId head, const HeadStats& stats) {
                return !inner(head, stats);
            };
        else if (m_scanner.takeSign("("))
            condition = bracket();
        else
            condition = term();
        --m_depth;
        return condition;
    }

    Condition bracket()
    {
        const std::size_t opened = m_scanner.at() - 1;
        Condition inner = disjunction();
        if (!m_scanner.takeSign(")")) {
            if (m_scanner.isAtEnd())
                refuse("The bracket at " + m_scanner.place(opened) + " is never closed; add a ).");
            refuse("The filter cannot be understood from " + m_scanner.place() +
                   " on; join conditions with & or |, or close the bracket.");
        }
        return inner;
    }

    Condition term()
    {
        const bool isOver = m_scanner.isAtEnd();
        const std::size_t start = m_scanner.at();
        const std::string_view word = m_scanner.takeWord();
        if (word.empty() || isDigit(word.front()) || word.front() == '-')
            refuse((isOver ? "The filter ends too early"
                           : "A condition is missing at " + m_scanner.place(start)) +
                   "; write a head such as L3H7 or a comparison such as density<0.01.");
        if (toLower(word.front()) == 'l' && word.size() > 1 && (isDigit(word[1]) || word[1] == '*'))
            return heads(word, start);
        const Metric* const metric = findMetric(word);
        if (!metric)
            refuse(quoted(word) + " at " + m_scanner.place(start) +
                   " is neither a head nor a metric; write L3H7 or one of " + metricNames() + ".");
        return comparison(*metric, word);
    }

    Condition heads(std::string_view word, std::size_t start)
    {
        std::string item(word);
        std::ranges::transform(item, item.begin(), toUpper);
        const Result<std::vector<HeadId>> named = parseHeadsWithin(item, m_shape);
        if (!named)
            refuse(quoted(word) + " at " + m_scanner.place(start) +
                   " is not a head; write L3H7, L3H*, L4-6H0-3 or L3KV1.");
        std::vector<bool> isNamed(static_cast<std::size_t>(m_shape.total()));  // [layer * head]
        for (const HeadId head : *named)
            isNamed[static_cast<std::size_t>(m_shape.indexOf(head))] = true;
        return [isNamed = std::move(isNamed), shape = m_shape](HeadId head, const HeadStats&) {
            return shape.contains(head) && isNamed[static_cast<std::size_t>(shape.indexOf(head))];
        };
    }

    Condition comparison(const Metric& metric, std::string_view word)
    {
        const std::optional<Comparison> comparison = takeComparison();
        if (!comparison)
            refuse("A comparison is missing after " + quoted(word) + " at " + m_scanner.place() + "; write " +
                   std::string(word) + "<0.5, for instance.");
        const std::optional<double> number = m_scanner.takeNumber();
        if (!number)
            refuse("A number is missing at " + m_scanner.place() + "; write one such as 0.01.");
        return [of = metric.of, comparison = *comparison, number = *number](HeadId, const HeadStats& stats) {
            return holds(of(stats), comparison, number);
        };
    }

    std::optional<Comparison> takeComparison()
    {
        if (m_scanner.takeSign("<="))
            return Comparison::LessEqual;
        if (m_scanner.takeSign("<"))
            return Comparison::Less;
        if (m_scanner.takeSign(">="))
            return Comparison::GreaterEqual;
        if (m_scanner.takeSign(">"))
            return Comparison::Greater;
        if (m_scanner.takeSign("==") || m_scanner.takeSign("="))
            return Comparison::Equal;
        if (m_scanner.takeSign("!="))
            return Comparison::Unequal;
        return std::nullopt;
    }

    [[noreturn]] static void refuse(std::string message) { fail(ErrorCode::BadRequest, std::move(message)); }

    FilterScanner m_scanner;
    const HeadShape& m_shape;
    int m_depth = 0;
};

}  // namespace

struct HeadFilter::Node {
    Condition condition;
};

HeadFilter::HeadFilter(std::shared_ptr<const Node> root) : m_root(std::move(root)) {}

Result<HeadFilter> HeadFilter::parse(std::string_view text, const HeadShape& shape)
{
    return guarded([&] {
        std::optional<Condition> condition = Parser(text, shape).all();
        return HeadFilter(condition ? std::make_shared<const Node>(Node{std::move(*condition)}) : nullptr);
    });
}

bool HeadFilter::matches(HeadId head, const HeadStats& stats) const
{
    return !m_root || m_root->condition(head, stats);
}

}  // namespace hs::stats
