#include "service/set_trees.h"

#include "service/result_trees.h"
#include "train/named_prompts.h"

#include <limits>

namespace hs::service {
namespace {

using remote::arrayOf;
using remote::readArray;
using remote::Tree;

constexpr int kMostPrompts = std::numeric_limits<int>::max();
constexpr double kLongestText = 1e9;  // bytes

Tree treeOf(const text::SetPrompt& prompt)
{
    Tree tree = {{"where", prompt.where}, {"text", prompt.text}};
    if (prompt.source)
        tree["source"] = *prompt.source;
    if (!prompt.problem.empty())
        tree["problem"] = prompt.problem;
    for (const text::SlotSpan& slot : prompt.slots)
        tree["slots"].push_back({slot.name, slot.begin, slot.end});
    return tree;
}

text::SetPrompt promptFrom(const JsonReader& reader, int index)
{
    text::SetPrompt prompt;
    prompt.index = index;
    prompt.where = reader["where"].text();
    prompt.text = reader["text"].text();
    if (reader["source"])
        prompt.source = reader["source"].text();
    prompt.problem = reader["problem"].text("");
    if (reader["slots"])
        for (const JsonReader& slot : reader["slots"].items())
            prompt.slots.push_back({slot[0].text(),
                                    static_cast<std::uint64_t>(slot[1].number(0, kLongestText)),
                                    static_cast<std::uint64_t>(slot[2].number(0, kLongestText))});
    return prompt;
}

Tree treeOf(const std::vector<text::LeftOutPrompt>& leftOut)
{
    Tree tree = Tree::array();
    for (const text::LeftOutPrompt& prompt : leftOut)
        tree.push_back({prompt.index, prompt.problem});
    return tree;
}

std::vector<text::LeftOutPrompt> leftOutFrom(const JsonReader& reader)
{
    std::vector<text::LeftOutPrompt> leftOut;
    for (const JsonReader& prompt : reader.items())
        leftOut.push_back({prompt[0].integer(0, kMostPrompts), prompt[1].text()});
    return leftOut;
}

Tree treeOf(const analyses::SetGroup& group)
{
    Tree sums = Tree::array();
    for (const stats::ValueSums& values : group.sums)
        sums.push_back(values.toJson());
    return {
        {"name", group.name}, {"rows", group.rows}, {"columns", group.columns}, {"sums", std::move(sums)}};
}

analyses::SetGroup setGroupFrom(const JsonReader& reader)
{
    const auto namesOf = [](const JsonReader& list) {
        std::vector<std::string> names;
        for (const JsonReader& name : list.items())
            names.push_back(name.text());
        return names;
    };
    analyses::SetGroup group(reader["name"].text(), namesOf(reader["rows"]), namesOf(reader["columns"]));
    std::size_t index = 0;
    for (const JsonReader& sums : reader["sums"].items(group.sums.size()))
        group.sums[index++] = stats::ValueSums::from(sums);
    return group;
}

}  // namespace

Tree toTree(const SetSource& source)
{
    Tree tree = {{"where", source.where}, {"stamp", source.stamp}};
    if (!source.given)
        return tree;
    Tree& prompts = tree["prompts"] = Tree::array();
    for (const text::SetPrompt& prompt : *source.given)
        prompts.push_back(treeOf(prompt));
    return tree;
}

SetSource setSourceFrom(const JsonReader& reader)
{
    SetSource source;
    source.where = reader["where"].text();
    source.stamp = reader["stamp"].text("");
    if (const JsonReader list = reader["prompts"]) {
        auto prompts = std::make_shared<std::vector<text::SetPrompt>>();
        for (const JsonReader& prompt : list.items())
            prompts->push_back(promptFrom(prompt, static_cast<int>(prompts->size())));
        source.given = std::move(prompts);
    } else if (!train::namesTask(source.where)) {
        reader.bad("names a set without its prompts");
    }
    return source;
}

Tree toTree(const SetView& view)
{
    Tree tree = {{"set", toTree(view.set)}, {"average", wordOf(view.average)}, {"partial", view.isPartial}};
    if (view.align)
        tree["align"] = wordOf(*view.align);
    return tree;
}

SetView setViewFrom(const JsonReader& reader)
{
    SetView view;
    view.set = setSourceFrom(reader["set"]);
    if (reader["align"])
        view.align = reader["align"].word<analyses::SetAlign>();
    view.average = reader["average"].word<analyses::SetAverage>();
    view.isPartial = reader["partial"].flag(false);
    return view;
}

SetSource readHere(SetSource source)
{
    if (source.given || train::namesTask(source.where))
        return source;
    text::PromptSet set(source.where, text::PromptNeeds::Text, source.pattern);
    auto prompts = std::make_shared<std::vector<text::SetPrompt>>();
    while (std::optional<text::SetPrompt> prompt = set.next())
        prompts->push_back(std::move(*prompt));
    source.given = std::move(prompts);
    return source;
}

Tree toTree(const SetSummary& summary)
{
    return {{"done", summary.done},
            {"count", summary.count},
            {"leftOut", treeOf(summary.leftOut)},
            {"low", arrayOf(numbersOf(summary.low))},
            {"high", arrayOf(numbersOf(summary.high))}};
}

SetSummary setSummaryFrom(const JsonReader& reader, const HeadShape& heads)
{
    const auto numbers =
        numbersOf(std::vector<stats::HeadStats>(static_cast<std::size_t>(heads.total()))).size();
    SetSummary summary;
    summary.count = reader["count"].integer(1, kMostPrompts);
    summary.done = reader["done"].integer(0, summary.count);
    summary.leftOut = leftOutFrom(reader["leftOut"]);
    summary.low = statsOf(readArray<float>(reader["low"], numbers));
    summary.high = statsOf(readArray<float>(reader["high"], numbers));
    return summary;
}

Tree toTree(const analyses::SetResult& result)
{
    std::vector<std::int32_t> places;  // [row, 2]
    std::vector<double> numbers;       // [row, 2]
    Tree answers = Tree::array();
    for (const analyses::SetRow& row : result.rows) {
        const analyses::SetAnswer& answer = row.sides.front();
        places.insert(places.end(), {row.index, row.tokens});
        numbers.insert(numbers.end(), {answer.loss, answer.probability});
        answers.push_back(answer.answer);
    }
    Tree groups = Tree::array();
    for (const analyses::SetGroup& group : result.groups)
        groups.push_back(treeOf(group));
    return {{"count", result.promptCount},       {"places", arrayOf(places)},
            {"numbers", arrayOf(numbers)},       {"answers", std::move(answers)},
            {"leftOut", treeOf(result.leftOut)}, {"groups", std::move(groups)}};
}

analyses::SetResult setResultFrom(const JsonReader& reader)
{
    analyses::SetResult result;
    result.promptCount = reader["count"].integer(1, kMostPrompts);
    const JsonReader answers = reader["answers"];
    const std::size_t rows = answers.list().size();
    const auto places = readArray<std::int32_t>(reader["places"], 2 * rows);
    const auto numbers = readArray<double>(reader["numbers"], 2 * rows);
    for (std::size_t row = 0; row < rows; ++row) {
        if (places[2 * row] < 0 || places[2 * row] >= result.promptCount)
            reader.bad("names a prompt that the set does not have");
        result.rows.push_back({places[2 * row],
                               places[2 * row + 1],
                               {{{numbers[2 * row], answers[row].text(), numbers[2 * row + 1]}, {}}}});
    }
    result.leftOut = leftOutFrom(reader["leftOut"]);
    for (const JsonReader& group : reader["groups"].items())
        result.groups.push_back(setGroupFrom(group));
    return result;
}

}  // namespace hs::service
