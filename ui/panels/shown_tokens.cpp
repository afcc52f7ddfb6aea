#include "panels/shown_tokens.h"

#include "control/token_label.h"
#include "render/translate.h"

#include <algorithm>

namespace hs {

std::shared_ptr<const SideRun> tokenRun(const Explorer& explorer)
{
    const Side first = explorer.document().arrangement == Arrangement::RightOnly ? Side::Right : Side::Left;
    const auto& run = explorer.state(first).run;
    return run ? run : explorer.state(otherSide(first)).run;
}

int tokenCount(const Explorer& explorer)
{
    const auto run = tokenRun(explorer);
    return run ? static_cast<int>(run->tokens.size()) : 0;
}

QString tokenLabelAt(const Explorer& explorer, int position)
{
    const auto run = tokenRun(explorer);
    if (!run || position < 0 || position >= static_cast<int>(run->tokens.size()))
        return {};
    return tokenLabel(run->tokens[static_cast<std::size_t>(position)].text);
}

std::string predictedText(const SideState& state, std::int64_t id)
{
    if (state.model && state.model->tokenizer)
        return state.model->tokenizer->tokenText(id);
    if (state.run) {
        const auto& tokens = state.run->tokens;
        const auto found =
            std::find_if(tokens.begin(), tokens.end(), [id](const Token& token) { return token.id == id; });
        if (found != tokens.end())
            return found->text;
    }
    return "#" + std::to_string(id);
}

QString predictedLabel(const SideState& state, std::int64_t id)
{
    return tokenLabel(predictedText(state, id));
}

QString sideTitle(const Explorer& explorer, Side side)
{
    if (const auto& model = explorer.state(side).model; model && !model->title.isEmpty())
        return model->title;
    return side == Side::Left ? tr("Left") : tr("Right");
}

}  // namespace hs
