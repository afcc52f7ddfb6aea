// What maps without an engine cannot do, and why.
#include "control/explorer/explorer.h"
#include "service/engine_need.h"

namespace hs::control {
namespace {

/// Empty if a side can have it, or no side has a model.
template <class Why>
QString whyNowhere(const Explorer& explorer, Why why)
{
    QString reason;
    for (const Side side : kSides)
        if (const auto& model = explorer.state(side).model) {
            const QString own = QString::fromStdString(why(*model));
            if (own.isEmpty())
                return {};
            if (reason.isEmpty())
                reason = own;
        }
    return reason;
}

}  // namespace

QString Explorer::whyNoRun(Side side) const
{
    const auto& model = state(side).model;
    return model ? QString::fromStdString(service::whyNoRun(*model)) : QString();
}

QString Explorer::whyNoRun() const
{
    return whyNowhere(*this, [](const service::OpenModel& model) { return service::whyNoRun(model); });
}

QString Explorer::whyNotPossible(service::AnalysisKind kind) const
{
    return whyNowhere(
        *this, [kind](const service::OpenModel& model) { return service::whyNotPossible(model, kind); });
}

QString Explorer::whyNotPossible(engine::MapKind kind) const
{
    if (m_document.set.average && kind != engine::MapKind::Weights)
        return tr("Only weights are averaged over a set; look at one prompt to see others.");
    if (!m_document.blocks.isNone() && !engine::addsUp(kind))
        return QString::fromUtf8(engine::kNotOfBlocks);
    return whyNowhere(
        *this, [kind](const service::OpenModel& model) { return service::whyNotPossible(model, kind); });
}

}  // namespace hs::control
