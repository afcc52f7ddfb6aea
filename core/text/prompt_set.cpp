#include "text/prompt_set.h"

#include "base/json_reader.h"

namespace hs::text {
namespace {

std::string filledText(const JsonReader& field)
{
    std::string text = field.text();
    if (text.empty())
        field.refuse("a text with something in it");
    return text;
}

std::optional<std::string> textWhereGiven(const JsonReader& field)
{
    return field ? std::optional(filledText(field)) : std::nullopt;
}

/// What a prompt may have and need not: nothing where it is no text.
std::optional<std::string> textIfAny(const JsonReader& field)
{
    const bool isText = field && field.json().is_string() && !field.text().empty();
    return isText ? std::optional(field.text()) : std::nullopt;
}

std::string formOf(PromptNeeds needs, const std::string& pattern)
{
    if (!pattern.empty())
        return "a value for each slot of the template, under its name";
    switch (needs) {
    case PromptNeeds::Text: return "{\"text\": …} on each line";
    case PromptNeeds::Question: return "{\"text\": …, \"target\": …} on each line";
    case PromptNeeds::Pair: break;
    }
    return "{\"clean\": …, \"corrupted\": …, \"target\": …, \"versus\": …} on each line";
}

}  // namespace

PromptSet::PromptSet(std::string where, PromptNeeds needs, std::string pattern)
    : m_name(std::move(where)), m_needs(needs), m_pattern(std::move(pattern)), m_records(openRecords(m_name))
{
}

PromptSet::PromptSet(std::string name, const std::vector<PromptPair>& pairs) : m_name(std::move(name))
{
    for (const PromptPair& pair : pairs) {
        const int index = static_cast<int>(m_prompts.size());
        m_prompts.push_back({index,
                             "Prompt " + std::to_string(index) + " of " + m_name,
                             pair.clean,
                             pair.target,
                             pair.versus,
                             pair.corrupted,
                             {},
                             {}});
    }
}

PromptSet::PromptSet(std::string name, std::vector<SetPrompt> prompts)
    : m_name(std::move(name)), m_prompts(std::move(prompts))
{
}

SetPrompt PromptSet::promptOf(SetRecord record) const
{
    SetPrompt prompt{m_next, record.where, {}, {}, {}, {}, {}, std::move(record.problem)};
    if (!prompt.problem.empty())
        return prompt;
    try {
        const JsonReader reader(record.fields, prompt.where, "write " + formOf(m_needs, m_pattern));
        if (const JsonReader pattern = reader["template"]; !m_pattern.empty() || pattern) {
            const JsonReader values = m_pattern.empty() ? reader["slots"] : reader;
            FilledTemplate filled =
                fillTemplate(m_pattern.empty() ? pattern.text() : m_pattern,
                             [&](const std::string& name) { return textWhereGiven(values[name.c_str()]); });
            prompt.text = std::move(filled.text);
            prompt.slots = std::move(filled.slots);
        } else {
            prompt.text = filledText(reader[{"text", "clean"}]);
        }
        if (m_needs == PromptNeeds::Text) {
            prompt.target = textIfAny(reader["target"]).value_or("");
            prompt.versus = textIfAny(reader["versus"]);
            prompt.source = textIfAny(reader[{"corrupted", "corrupt"}]);  // a corpus names its "source"
        } else {
            prompt.target = filledText(reader["target"]);
            prompt.versus = textWhereGiven(reader["versus"]);
            prompt.source = textWhereGiven(reader[{"source", "corrupted", "corrupt"}]);
        }
        if (m_needs == PromptNeeds::Pair && !prompt.source)
            prompt.source = filledText(reader["corrupted"]);
        if (m_needs == PromptNeeds::Pair && !prompt.versus)
            prompt.versus = filledText(reader["versus"]);
    } catch (const Failure& failure) {
        const std::string& message = failure.error().message;
        prompt.problem =
            message.find(prompt.where) == std::string::npos ? prompt.where + ": " + message : message;
    }
    return prompt;
}

std::optional<SetPrompt> PromptSet::next()
{
    std::optional<SetPrompt> prompt;
    if (m_records) {
        if (std::optional<SetRecord> record = m_records->next())
            prompt = promptOf(std::move(*record));
    } else if (m_next < std::ssize(m_prompts)) {
        prompt = m_prompts[static_cast<std::size_t>(m_next)];
    }
    m_next += prompt.has_value();
    return prompt;
}

void PromptSet::restart()
{
    if (m_records)
        m_records = openRecords(m_name);
    m_next = 0;
}

int PromptSet::count()
{
    restart();
    int count = 0;
    while (next())
        ++count;
    restart();
    if (count == 0)
        fail(ErrorCode::BadFile, m_name + " holds no prompts; write " + formOf(m_needs, m_pattern) + ".");
    return count;
}

bool isOfPrompt(const Failure& failure)
{
    const ErrorCode code = failure.error().code;
    return code == ErrorCode::BadRequest || code == ErrorCode::BadFile || code == ErrorCode::TooLarge ||
           code == ErrorCode::Unsupported;
}

}  // namespace hs::text
