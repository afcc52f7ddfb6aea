#include "panels/widgets/ablation_names.h"

#include "render/translate.h"

#include <QStringList>

namespace hs::panels {
namespace {

constexpr int kMostNamedHeads = 6;

}  // namespace

QString nameOf(const HeadChange& change)
{
    switch (change.kind) {
    case HeadChange::Kind::Zero: break;
    case HeadChange::Kind::Mean: return tr("mean");
    case HeadChange::Kind::Replace: return tr("patched");
    case HeadChange::Kind::Cells: return tr("cells cut");
    }
    return tr("zero");
}

QString describeAblation(HeadId head, const HeadChange& change)
{
    const QString name = QString::fromStdString(toString(head));
    switch (change.kind) {
    case HeadChange::Kind::Zero: break;
    case HeadChange::Kind::Mean: return tr("%1 is ablated to its mean").arg(name);
    case HeadChange::Kind::Replace: return tr("%1 is patched from the corrupted prompt").arg(name);
    case HeadChange::Kind::Cells:
        return tr("Cells of %1 are changed: %2").arg(name, QString::fromStdString(toString(change)));
    }
    return tr("%1 is ablated to zero").arg(name);
}

QString namesOf(const std::map<HeadId, HeadChange>& ablations)
{
    QStringList names;
    for (const auto& [head, change] : ablations) {
        if (names.size() == kMostNamedHeads) {
            names << QStringLiteral("…");
            break;
        }
        const QString name = QString::fromStdString(toString(head));
        const bool isPlain = change.kind == HeadChange::Kind::Zero;
        names << (isPlain ? name : tr("%1 (%2)").arg(name, nameOf(change)));
    }
    return names.join(QStringLiteral(", "));
}

}  // namespace hs::panels
