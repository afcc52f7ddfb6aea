#include "panels/widgets/ablation_names.h"

#include "render/translate.h"

#include <QStringList>

namespace hs::panels {
namespace {

constexpr int kMostNamedHeads = 6;

}  // namespace

QString nameOf(engine::HeadAblation::Kind kind)
{
    switch (kind) {
    case engine::HeadAblation::Kind::Zero: break;
    case engine::HeadAblation::Kind::Mean: return tr("mean");
    case engine::HeadAblation::Kind::Replace: return tr("patched");
    }
    return tr("zero");
}

QString describeAblation(HeadId head, engine::HeadAblation::Kind kind)
{
    const QString name = QString::fromStdString(toString(head));
    switch (kind) {
    case engine::HeadAblation::Kind::Zero: break;
    case engine::HeadAblation::Kind::Mean: return tr("%1 is ablated to its mean").arg(name);
    case engine::HeadAblation::Kind::Replace: return tr("%1 is patched from the corrupted prompt").arg(name);
    }
    return tr("%1 is ablated to zero").arg(name);
}

QString namesOf(const std::map<HeadId, engine::HeadAblation::Kind>& ablations)
{
    QStringList names;
    for (const auto& [head, kind] : ablations) {
        if (names.size() == kMostNamedHeads) {
            names << QStringLiteral("…");
            break;
        }
        const QString name = QString::fromStdString(toString(head));
        names << (kind == engine::HeadAblation::Kind::Zero ? name : tr("%1 (%2)").arg(name, nameOf(kind)));
    }
    return names.join(QStringLiteral(", "));
}

}  // namespace hs::panels
