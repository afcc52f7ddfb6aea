#include "panels/widgets/shown_tokens.h"

#include "control/document/token_label.h"
#include "render/translate.h"

#include <algorithm>

namespace hs::panels {

std::shared_ptr<const control::SideRun> tokenRun(const control::Explorer& explorer)
{
    return explorer.state(explorer.tokenSide()).run;
}

int tokenCount(const control::Explorer& explorer, control::Axis axis)
{
    const auto run = tokenRun(explorer);
    return run ? static_cast<int>(tokensOf(*run, axis).size()) : 0;
}

QString tokenLabelAt(const control::Explorer& explorer, control::Axis axis, int position)
{
    if (position < 0 || position >= tokenCount(explorer, axis))
        return {};
    return control::tokenLabel(tokensOf(*tokenRun(explorer), axis)[static_cast<std::size_t>(position)].text);
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
