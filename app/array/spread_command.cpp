#include "app/array/spread_command.h"

#include "train/named_prompts.h"

#include <algorithm>

namespace hs::app {

SpreadCommand::SpreadCommand(std::vector<std::string> words)
{
    addSweepCommand(m_app, m_action);
    addCircuitCommand(m_app, m_action);
    addMetricsCommand(m_app, m_action);
    addRunCommand(m_app, m_action);
    addCompareCommand(m_app, m_action);
    for (CLI::App* const command : m_app.get_subcommands({}))
        if (!words.empty() && command->get_name() == words.front())
            m_chosen = command;
    if (!m_chosen)
        throw CLI::ValidationError(
            "command", "sweep, circuit, metrics, run or compare can be spread, with their options: "
                       "array --parts 8 -- sweep --prompts FILE …");
    std::ranges::reverse(words);  // CLI11 takes them from the end
    m_app.parse(words);
}

std::string SpreadCommand::value(const std::string& option) const
{
    const CLI::Option* const found = m_chosen->get_option_no_throw(option);
    if (!found)
        return {};
    return found->count() > 0 ? found->results().back() : found->get_default_str();
}

const char* SpreadCommand::fileOption() const
{
    return m_chosen->get_name() == "circuit" ? "--pairs" : "--prompts";
}

int SpreadCommand::lineCount() const
{
    return train::countPrompts(value(fileOption()), text::PromptNeeds::Text, value("--template"));
}

}  // namespace hs::app
