#include "panels/widgets/shown_tokens.h"

#include "control/document/token_label.h"
#include "render/translate.h"

#include <algorithm>

namespace hs::panels {

std::shared_ptr<const control::SideRun> tokenRun(const control::Explorer& explorer)
{
    return explorer.state(explorer.tokenSide()).run;
}

int tokenCount(const control::Explorer& explorer)
{
    const auto run = tokenRun(explorer);
    return run ? static_cast<int>(run->tokens.size()) : 0;
}

QString tokenLabelAt(const control::Explorer& explorer, int position)
{
    const auto run = tokenRun(explorer);
    if (!run || position < 0 || position >= static_cast<int>(run->tokens.size()))
        return {};
    return control::tokenLabel(run->tokens[static_cast<std::size_t>(position)].text);
}

std::string predictedText(const control::SideState& state, std::int64_t id)
{
    if (state.model && state.model->tokenizer)
        return state.model->tokenizer->tokenText(id);
    if (state.run) {
        const auto& tokens = state.run->tokens;
        const auto found = std::find_if(tokens.begin(), tokens.end(),
                                        [id](const text::Token& token) { return token.id == id; });
        if (found != tokens.end())
            return found->text;
    }
    return "#" + std::to_string(id);
}

QString predictedLabel(const control::SideState& state, std::int64_t id)
{
    return control::tokenLabel(predictedText(state, id));
}

QString sideTitle(const control::Explorer& explorer, Side side)
{
    if (const auto& model = explorer.state(side).model; model && !model->title.empty())
        return QString::fromStdString(model->title);
    return side == Side::Left ? tr("Left") : tr("Right");
}

}  // namespace hs::panels
