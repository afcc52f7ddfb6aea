#include "panels/ablation_names.h"

#include "render/translate.h"

#include <QStringList>

namespace hs {
namespace {

constexpr int kMostNamed = 6;

}  // namespace

QString nameOf(HeadAblation::Kind kind)
{
    switch (kind) {
    case HeadAblation::Kind::Zero: break;
    case HeadAblation::Kind::Mean: return tr("mean");
    case HeadAblation::Kind::Replace: return tr("patched");
    }
    return tr("zero");
}

QString describeAblation(HeadId head, HeadAblation::Kind kind)
{
    const QString name = QString::fromStdString(toString(head));
    switch (kind) {
    case HeadAblation::Kind::Zero: break;
    case HeadAblation::Kind::Mean: return tr("%1 is ablated to its mean").arg(name);
    case HeadAblation::Kind::Replace: return tr("%1 is patched from the corrupted prompt").arg(name);
    }
    return tr("%1 is ablated to zero").arg(name);
}

QString namesOf(const std::map<HeadId, HeadAblation::Kind>& ablations)
{
    QStringList names;
    for (const auto& [head, kind] : ablations) {
        if (names.size() == kMostNamed) {
            names << QStringLiteral("…");
            break;
        }
        const QString name = QString::fromStdString(toString(head));
        names << (kind == HeadAblation::Kind::Zero ? name : tr("%1 (%2)").arg(name, nameOf(kind)));
    }
    return names.join(QStringLiteral(", "));
}

}  // namespace hs
