#include "control/explorer/label_keeper.h"

#include "render/translate.h"

namespace hs::control {

void LabelKeeper::follow(Side side, const GraphChoice& choice,
                         const std::shared_ptr<const service::OpenModel>& model)
{
    if (!model)
        return;
    Kept& kept = m_kept[indexOf(side)];
    if (kept.fingerprint != model->fingerprint || kept.coders != choice.coders)
        kept = {model->fingerprint, choice.coders, choice.labels, {}};
    if (kept.labels == choice.labels)
        return;
    Labels changes = choice.labels;
    for (const auto& [feature, label] : kept.labels)
        if (!choice.labels.contains(feature)) {
            const auto before = kept.before.find(feature);
            changes[feature] = before == kept.before.end() ? std::string() : before->second;
        }
    kept.labels = choice.labels;
    m_worker.post<Labels>(
        {m_firstSlot + static_cast<int>(indexOf(side)), tr("Keeping labels"), /*isQuiet=*/true,
         WorkQueue::Running::Finish},
        [model, coders = choice.coders.toStdString(), changes](service::Backend& backend,
                                                               const Hooks& hooks) {
            return backend.keepLabels(model, coders, changes, hooks);
        },
        [this, side](const Result<Labels>& before) {
            if (!before)
                Q_EMIT failed(before.error());
            else
                m_kept[indexOf(side)].before.insert(before->begin(), before->end());
        });
}

}  // namespace hs::control
