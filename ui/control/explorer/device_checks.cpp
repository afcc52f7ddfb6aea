#include "control/explorer/device_checks.h"

#include "control/work/worker.h"

namespace hs::control {

void DeviceChecks::follow(Side side, const SideState& state)
{
    const auto& model = state.model;
    const int slot = m_firstSlot + static_cast<int>(indexOf(side));
    if (!model || !model->hasGpu || !state.run || state.run->request.model != model || state.run->set ||
        state.isStale || m_worker.isPending(slot))
        return;
    const std::string key = model->fingerprint + ' ' + model->device + ' ' + model->precision;
    if (!m_checked.insert(key).second)
        return;
    std::vector<std::int64_t> tokens;
    for (const text::Token& token : state.run->textTokens())
        if (tokens.size() < analyses::kCheckedTokens)
            tokens.push_back(token.id);
    m_worker.post<analyses::DeviceCheck>(
        {slot, tr("Comparing %1 with the processor").arg(QString::fromStdString(model->device)),
         /*isQuiet=*/true, WorkQueue::Running::Finish, WorkQueue::Haste::Patient},
        [model, tokens](service::Backend& backend, const Hooks& hooks) {
            return backend.checkDevice(model, tokens, hooks);
        },
        [this, model](const Result<analyses::DeviceCheck>& check) {
            // A run says itself what is wrong, if anything is.
            const std::string remark = check ? check->left : check.error().message;
            if (!remark.empty())
                qInfo("%s: %s", model->title.c_str(), remark.c_str());
            if (check && check->beyond)
                Q_EMIT differs(QString::fromStdString(analyses::warningOf(*check->beyond, model->title,
                                                                          model->device, model->precision)),
                               QString::fromStdString(check->left));
        });
}

void DeviceChecks::cancel()
{
    for (int slot = m_firstSlot; slot < m_firstSlot + kSlots; ++slot)
        m_worker.cancel(slot);
}

}  // namespace hs::control
