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

QString predictedLabel(const control::SideState& state, std::int64_t id)
{
    return control::tokenLabel(control::predictedText(*state.run, id));
}

QString tokenName(const service::OpenModel& model, std::int64_t id)
{
    return model.tokenizer ? control::tokenLabel(model.tokenizer->tokenText(id))
                           : QStringLiteral("#%1").arg(id);
}

QString sideTitle(const control::Explorer& explorer, Side side)
{
    if (const auto& model = explorer.state(side).model; model && !model->title.empty())
        return QString::fromStdString(model->title);
    return side == Side::Left ? tr("Left") : tr("Right");
}

}  // namespace hs::panels
