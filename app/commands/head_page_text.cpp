#include "app/commands/head_page_text.h"

#include "app/support/text_table.h"
#include "base/failure.h"

#include <algorithm>
#include <cstdio>

namespace hs::app {
namespace {

constexpr int kBefore = 8;  // tokens shown around one
constexpr int kAfter = 3;
constexpr std::size_t kMetricsListed = 8;  // columns of a table

std::string inForm(const char* form, double value)
{
    char text[32];
    std::snprintf(text, sizeof text, form, value);
    return text;
}

std::string wholePercent(double share)
{
    return inForm("%.0f %%", 100 * share);
}

/// A token's text on one line.
std::string onLine(const std::string& token)
{
    std::string text;
    for (const char byte : token)
        text += byte == '\n' ? std::string("⏎") : std::string(1, byte);
    return text;
}

std::string quoted(const std::string& token)
{
    return "\"" + onLine(token) + "\"";
}

/// The text around both ends of a cell: "… the «people» . First [Citizen] …".
std::string exampleText(const JsonReader& example)
{
    const JsonReader tokens = example["tokens"];
    const int length = static_cast<int>(tokens.list().size());
    const MostCell cell = mostOf(example);
    const std::string between = betweenTokens(tokens);
    std::string text;
    int last = -1;
    for (int at = 0; at < length; ++at) {
        const auto isNear = [&](int end) { return at >= end - kBefore && at <= end + kAfter; };
        if (!isNear(cell.query) && !isNear(cell.key))
            continue;
        text += at != last + 1 ? " … " : at > 0 ? between : "";
        last = at;
        const std::string token = onLine(tokens[static_cast<std::size_t>(at)].text());
        text += at == cell.query ? "[" + (at == cell.key ? "«" + token + "»" : token) + "]"
                : at == cell.key ? "«" + token + "»"
                                 : token;
    }
    return text;
}

std::string tokensText(const JsonReader& list, std::size_t most)
{
    std::string text;
    std::size_t count = 0;
    for (const JsonReader& token : list.items()) {
        if (count++ == most)
            break;
        text += (text.empty() ? "" : "  ") + quoted(token["token"].text()) + " " +
                inForm("%.3g", token["weight"].number());
        if (token["lift"])
            text += " (" + inForm("%.2g", token["lift"].number()) + "x)";
    }
    return text;
}

void addConnected(std::string& text, const JsonReader& list, const char* words)
{
    for (const JsonReader& each : list.items())
        text += "    " + quoted(each["token"].text()) + words + tokensText(each["most"], 6) + "\n";
}

void addAblation(std::string& text, const JsonReader& ablation, std::size_t most)
{
    const JsonReader loss = ablation["loss"];
    text += "without it  the loss of a token changes by " + inForm("%+.4f", loss["mean"].numberOrNaN()) +
            " nats (" + inForm("%.0f", loss["count"].number()) + " tokens of " +
            std::to_string(ablation["rows"].integer(0, 1 << 30)) + " rows); most for\n";
    std::size_t count = 0;
    for (const JsonReader& change : ablation["harmed"].items()) {
        if (count++ == most)
            break;
        std::string context;
        const JsonReader tokens = change["tokens"];
        for (const JsonReader& token : tokens.items())
            context += (context.empty() ? "" : betweenTokens(tokens)) +
                       (&tokens.list().back() == &token.json() ? "[" + onLine(token.text()) + "]"
                                                               : onLine(token.text()));
        text += "    " + inForm("%+.2f", change["change"].number()) + "  " + context + "\n";
    }
}

}  // namespace

std::string betweenTokens(const JsonReader& tokens)
{
    for (const JsonReader& token : tokens.items())
        if (token.text().starts_with(' '))
            return {};
    return " ";
}

MostCell mostOf(const JsonReader& example)
{
    const int length = static_cast<int>(example["tokens"].list().size());
    if (example["query"])
        return {example["query"].integer(0, length - 1), example["key"].integer(0, length - 1)};
    MostCell most;
    double largest = 0;
    std::size_t cell = 0;
    for (const JsonReader& place : example["attention_indices"].items()) {
        const double weight = example["attention_values"][cell++].number();
        const int index = place.integer(0, length * length - 1);
        if (weight > largest && index % length > 0) {
            largest = weight;
            most = {index / length, index % length};
        }
    }
    return most;
}

std::string sharesText(const JsonReader& shares)
{
    static constexpr std::pair<const char*, const char*> kParts[] = {
        {"first_token", "the first token"},
        {"current_token", "itself"},
        {"previous_token", "the token before"},
        {"after_earlier_copy", "what followed an earlier copy"},
        {"elsewhere", "elsewhere"},
        {"nowhere", "nothing (closed by the gate)"}};
    std::vector<std::pair<double, std::string>> parts;
    for (const auto& [key, words] : kParts)
        if (const double share = shares[key].numberOrNaN(); share >= 0.005)
            parts.emplace_back(-share, std::string(words) + " " + wholePercent(share));
    std::ranges::stable_sort(parts, {}, &std::pair<double, std::string>::first);
    std::string text;
    for (const auto& [share, words] : parts)
        text += (text.empty() ? "" : ", ") + words;
    return text;
}

std::string headPageText(const analyses::HeadTree& tree, HeadId head, int most)
{
    const Json json = analyses::readHeadPage(tree, head);
    const JsonReader page(json, analyses::headPageFile(tree.folder, head).string(), "make it again");
    const auto listed = static_cast<std::size_t>(most);
    std::string text =
        toString(head) + "  " + page["kind"].text("") + "  (" + tree.model + " over " + tree.corpus + ")\n";
    if (page["shares"])
        text += "looks at    " + sharesText(page["shares"]) + "\n";
    if (const JsonReader repeats = page["repeated_tokens"])
        text += "random tokens that come twice: " + wholePercent(repeats["induction"].numberOrNaN()) +
                " of its weight on what followed the first copy, " +
                wholePercent(repeats["duplicate_token"].numberOrNaN()) + " on the copy itself\n";
    text += "examples    [query] looks at «key»\n";
    std::size_t count = 0;
    for (const JsonReader& example : page["sequences"].items()) {
        if (count++ == listed)
            break;
        text +=
            "    " + inForm("%.2f", example["max_activation"].number()) + "  " + exampleText(example) + "\n";
    }
    text += "keys that get most      " + tokensText(page["top_key_tokens"], listed) + "\n";
    text += "queries that look most  " + tokensText(page["top_query_tokens"], listed) + "\n";
    if (page["copying"]) {
        text += "by its weights: copies what it reads by " + inForm("%+.2f", page["copying"].number()) +
                " (from -1 to 1)\n";
        addConnected(text, page["writes"], " read, it promotes  ");
        addConnected(text, page["reads"], " asking, it looks for  ");
    }
    if (page["ablation"])
        addAblation(text, page["ablation"], listed);
    return text;
}

std::string headTreeText(const analyses::HeadTree& tree)
{
    TextTable table;
    std::vector<std::string> names(
        tree.metrics.begin(),
        tree.metrics.begin() + static_cast<std::ptrdiff_t>(std::min(kMetricsListed, tree.metrics.size())));
    std::vector<std::string> title = {"kind"};
    title.insert(title.end(), names.begin(), names.end());
    table.add("head", title);
    for (const auto& [head, row] : tree.heads) {
        std::vector<std::string> cells = {row.kind};
        for (const std::string& name : names) {
            const auto found = row.numbers.find(name);
            cells.push_back(found == row.numbers.end() ? "" : inForm("%.4f", found->second));
        }
        table.add(toString(head), cells);
    }
    return tree.model + " over " + tree.corpus + "\n" + table.text();
}

std::string headDifferenceText(const analyses::HeadTree& first, const analyses::HeadTree& second,
                               const std::vector<analyses::HeadTreeDifference>& differences)
{
    TextTable table;
    table.add("head", {"distance", "differs most in", "first", "second", "kinds"});
    for (const analyses::HeadTreeDifference& difference : differences) {
        const std::string& before = first.heads.at(difference.head).kind;
        const std::string& after = second.heads.at(difference.head).kind;
        table.add(toString(difference.head),
                  {inForm("%.3f", difference.distance), difference.metric, inForm("%.4f", difference.first),
                   inForm("%.4f", difference.second), before == after ? before : before + " → " + after});
    }
    return "first: " + first.model + " over " + first.corpus + ", second: " + second.model + " over " +
           second.corpus + "\n" + table.text();
}

}  // namespace hs::app
