#include "panels/widgets/training_steps.h"

#include "render/translate.h"

#include <QLocale>

#include <algorithm>

namespace hs::panels {

std::optional<std::size_t> stepShown(const control::Explorer& explorer, Side side)
{
    const auto& model = explorer.state(side).model;
    if (!model)
        return std::nullopt;
    const std::string wanted = explorer.document().side(side).model.toStdString();
    const auto found = std::ranges::find(model->revisions, wanted, &model::Revision::source);
    if (found != model->revisions.end())
        return static_cast<std::size_t>(found - model->revisions.begin());
    return model->revision;
}

void showStep(control::Explorer& explorer, Side side, std::size_t step, const QString& mergeKey)
{
    const auto& model = explorer.state(side).model;
    if (!model || step >= model->revisions.size())
        return;
    explorer.edit(
        tr("Go to %1").arg(stepWords(*model, step)),
        [&](control::Document& document) {
            document.side(side).model = QString::fromStdString(model->revisions[step].source);
        },
        mergeKey);
}

QString stepWords(const service::OpenModel& model, std::size_t step)
{
    return tr("step %1").arg(QLocale().toString(static_cast<qlonglong>(model.revisions[step].step)));
}

}  // namespace hs::panels
