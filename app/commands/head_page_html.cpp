#include "app/commands/head_page_html.h"

#include "app/commands/head_page_text.h"

#include <cstdio>
#include <map>

namespace hs::app {
namespace {

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --ink: #1d232b; --quiet: #5b6472; --frame: #cbd1d9; --key: 207,34,46; --query: #0b6e99; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ed; --quiet: #9aa4b1; --frame: #3a424c; --key: 255,123,114; --query: #58b7e0; }
}
body { margin: 0 auto; padding: 12px 16px; max-width: 68rem; color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.3rem; } h2 { font-size: 1.15rem; margin: 2rem 0 0; border-top: 1px solid var(--frame); padding-top: 1rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
p { margin: .3rem 0; } .quiet, caption { color: var(--quiet); font-size: .87rem; }
figure { display: flex; gap: 14px; align-items: flex-start; margin: .8rem 0; }
figure svg { flex: 0 0 132px; border: 1px solid var(--frame); }
.text { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.7; }
.text span { background: rgba(var(--key), var(--w)); border-radius: 3px; }
.text .q { outline: 2px solid var(--query); border-radius: 3px; } .text i { color: var(--quiet); font-style: normal; }
table { border-collapse: collapse; margin: .3rem 1.5rem .3rem 0; display: inline-table; vertical-align: top; }
caption { text-align: left; } td { padding: 0 .8rem 0 0; white-space: pre; } td.n { text-align: right; font-variant-numeric: tabular-nums; }
rect { fill: rgb(var(--key)); } .cross { fill: none; stroke: var(--query); }
)";

std::string htmlText(const std::string& text)
{
    std::string safe;
    for (const char byte : text)
        safe += byte == '&'   ? "&amp;"
                : byte == '<' ? "&lt;"
                : byte == '>' ? "&gt;"
                : byte == '"' ? "&quot;"
                              : std::string(1, byte);
    return safe;
}

/// A token of a text: its line breaks are seen and made.
std::string tokenHtml(const std::string& token)
{
    std::string html;
    for (const char byte : token)
        html += byte == '\n' ? "<i>⏎</i>\n" : htmlText(std::string(1, byte));
    return html;
}

std::string printed(const char* form, double value)
{
    char text[32];
    std::snprintf(text, sizeof text, form, value);
    return text;
}

/// The cells of an example's query: how much it looks at each key.
std::map<int, double> rowOf(const JsonReader& example, int query, int length)
{
    std::map<int, double> row;
    std::size_t cell = 0;
    for (const JsonReader& place : example["attention_indices"].items()) {
        const double weight = example["attention_values"][cell++].number(0, 1.001);
        const int index = place.integer(0, length * length - 1);
        if (index / length == query)
            row[index % length] = weight;
    }
    return row;
}

/// The example's map, rows queries and columns keys, with its largest cell marked.
std::string mapSvg(const JsonReader& example, const MostCell& most, int length)
{
    const std::string side = std::to_string(length);
    std::string svg = "<svg viewBox=\"0 0 " + side + " " + side +
                      "\" width=\"132\" height=\"132\" role=\"img\" "
                      "aria-label=\"Map of the row: queries down, keys across\">";
    std::size_t cell = 0;
    for (const JsonReader& place : example["attention_indices"].items()) {
        const double weight = example["attention_values"][cell++].number(0, 1.001);
        const int index = place.integer(0, length * length - 1);
        if (weight >= 0.02)
            svg += "<rect x=\"" + std::to_string(index % length) + "\" y=\"" +
                   std::to_string(index / length) + "\" width=\"1\" height=\"1\" fill-opacity=\"" +
                   printed("%.2g", weight) + "\"/>";
    }
    const double around = length / 24.0;
    svg += "<circle class=\"cross\" cx=\"" + printed("%.1f", most.key + 0.5) + "\" cy=\"" +
           printed("%.1f", most.query + 0.5) + "\" r=\"" + printed("%.1f", around) + "\" stroke-width=\"" +
           printed("%.2f", around / 4) + "\"/></svg>";
    return svg;
}

std::string exampleHtml(const JsonReader& example)
{
    const JsonReader tokens = example["tokens"];
    const int length = static_cast<int>(tokens.list().size());
    const MostCell most = mostOf(example);
    const std::map<int, double> row = rowOf(example, most.query, length);
    std::string html = "<figure>" + mapSvg(example, most, length) + "<p class=\"text\"><b>" +
                       printed("%.2f", example["max_activation"].number()) + "</b>  ";
    const std::string between = betweenTokens(tokens);
    for (int at = 0; at < length; ++at) {
        html += at > 0 ? between : "";
        const std::string token = tokenHtml(tokens[static_cast<std::size_t>(at)].text());
        const auto found = row.find(at);
        const std::string weight = found == row.end() ? "0" : printed("%.2f", 0.75 * found->second);
        html += found == row.end() && at != most.query
                    ? token
                    : "<span" + std::string(at == most.query ? " class=\"q\"" : "") +
                          " style=\"--w:" + weight + "\">" + token + "</span>";
    }
    return html + "</p></figure>\n";
}

/// Tokens with their weights, a row each.
std::string tokenTable(const JsonReader& list, const std::string& caption, std::size_t most)
{
    std::string html = "<table><caption>" + caption + "</caption>";
    std::size_t count = 0;
    for (const JsonReader& token : list.items()) {
        if (count++ == most)
            break;
        html +=
            "<tr><td>" + tokenHtml(token["token"].text()) + "</td><td class=\"n\">" +
            printed("%.3g", token["weight"].number()) + "</td>" +
            (token["lift"] ? "<td class=\"n\">" + printed("%.2g", token["lift"].number()) + "×</td>" : "") +
            "</tr>";
    }
    return html + "</table>\n";
}

std::string ablationHtml(const JsonReader& ablation, std::size_t most)
{
    const JsonReader loss = ablation["loss"];
    std::string html = "<h3>Without it</h3><p>The loss of a token changes by " +
                       printed("%+.4f", loss["mean"].numberOrNaN()) + " nats, over " +
                       printed("%.0f", loss["count"].number()) + " tokens. Most for</p>";
    std::size_t count = 0;
    for (const JsonReader& change : ablation["harmed"].items()) {
        if (count++ == most)
            break;
        html += "<p class=\"text\"><b>" + printed("%+.2f", change["change"].number()) + "</b>  ";
        const JsonReader tokens = change["tokens"];
        for (const JsonReader& token : tokens.items())
            html += &token.json() == &tokens.list().back()
                        ? "<span class=\"q\">" + tokenHtml(token.text()) + "</span>"
                        : tokenHtml(token.text());
        html += "</p>\n";
    }
    return html;
}

std::string pageHtml(const analyses::HeadTree& tree, HeadId head, std::size_t most)
{
    const Json json = analyses::readHeadPage(tree, head);
    const JsonReader page(json, analyses::headPageFile(tree.folder, head).string(), "make it again");
    std::string html = "<h2>" + toString(head) + " " + page["kind"].text("") + "</h2><p class=\"quiet\">" +
                       htmlText(tree.model) + " over " + htmlText(tree.corpus) + "</p>\n";
    if (page["shares"])
        html += "<p>Looks at " + sharesText(page["shares"]) + ".</p>\n";
    if (const JsonReader repeats = page["repeated_tokens"])
        html += "<p>Of random tokens that come twice, the second looks at what followed the first with " +
                printed("%.2f", repeats["induction"].numberOrNaN()) + " of its weight.</p>\n";
    html += "<h3>Examples</h3><p class=\"quiet\">The framed token looks at those that are tinted. Beside it "
            "the row's map: "
            "queries down, keys across.</p>\n";
    std::size_t count = 0;
    for (const JsonReader& example : page["sequences"].items()) {
        if (count++ == most)
            break;
        html += exampleHtml(example);
    }
    html += "<h3>Tokens</h3>\n" + tokenTable(page["top_key_tokens"], "keys that get most weight", most) +
            tokenTable(page["top_query_tokens"], "queries that look most", most);
    if (page["copying"]) {
        html += "<h3>By its weights</h3><p>Copies what it reads by " +
                printed("%+.2f", page["copying"].number()) + " (from −1 to 1).</p>\n";
        for (const JsonReader& each : page["writes"].items())
            html += tokenTable(each["most"], "promoted by reading “" + htmlText(each["token"].text()) + "”",
                               most);
        for (const JsonReader& each : page["reads"].items())
            html += tokenTable(each["most"], "looked for by “" + htmlText(each["token"].text()) + "”", most);
    }
    if (page["ablation"])
        html += ablationHtml(page["ablation"], most);
    return html;
}

}  // namespace

std::string headPagesHtml(const std::vector<analyses::HeadTree>& trees, const std::vector<HeadId>& heads,
                          int most)
{
    std::string html = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                       "<meta name=\"viewport\" content=\"width=device-width\"><title>Heads of " +
                       htmlText(trees.front().model) + "</title><style>" + kStyle +
                       "</style></head><body>\n<h1>" + "Heads of " + htmlText(trees.front().model) +
                       "</h1>\n";
    for (const HeadId head : heads)
        for (const analyses::HeadTree& tree : trees)
            html += pageHtml(tree, head, static_cast<std::size_t>(most));
    return html + "</body></html>\n";
}

}  // namespace hs::app
