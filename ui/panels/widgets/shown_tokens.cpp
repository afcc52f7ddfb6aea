#include "panels/widgets/shown_tokens.h"

#include "control/document/token_label.h"
#include "control/work/prediction_rows.h"
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

QString predictedLabel(const control::SideState& state, std::int64_t id)
{
    return control::tokenLabel(control::predictedText(*state.run, id));
}

QString sideTitle(const control::Explorer& explorer, Side side)
{
    if (const auto& model = explorer.state(side).model; model && !model->title.empty())
        return QString::fromStdString(model->title);
    return side == Side::Left ? tr("Left") : tr("Right");
}

}  // namespace hs::panels
