#include "panels/analyses/analysis_note.h"

#include "render/translate.h"

#include <QStringList>

namespace hs::panels {
namespace {

QStringList changesOf(const service::SideRequest& made, const service::SideRequest& wanted)
{
    QStringList changes;
    if (made.model != wanted.model)
        changes << tr("the model");
    if (made.prompt != wanted.prompt || made.isChat != wanted.isChat || made.tokenIds != wanted.tokenIds ||
        made.hasBos != wanted.hasBos)
        changes << tr("the prompt");
    if (made.generated != wanted.generated)
        changes << tr("what is generated");
    if (made.gate != wanted.gate)
        changes << tr("the gate");
    if (made.ablations != wanted.ablations || made.patch != wanted.patch)
        changes << tr("what is ablated");
    if (made.target != wanted.target || made.distractor != wanted.distractor)
        changes << tr("the target");
    if (made.position != wanted.position)
        changes << tr("the position");
    return changes;
}

}  // namespace

QString outdatedNote(const service::AnalysisRequest& made, const service::AnalysisRequest& wanted)
{
    QStringList changes = changesOf(made.side, wanted.side);
    if (made.corrupted != wanted.corrupted)
        changes << tr("the corrupted prompt");
    if (made.set != wanted.set)
        changes << tr("the set");
    if (made.sweep != wanted.sweep || made.circuit != wanted.circuit || made.heads != wanted.heads ||
        made.threshold != wanted.threshold || made.graph != wanted.graph ||
        made.hasRollout != wanted.hasRollout || made.lens != wanted.lens)
        changes << tr("the set-up");
    if (changes.isEmpty())
        return tr("Outdated: run it again.");
    const QString last = changes.takeLast();
    const QString list =
        changes.isEmpty() ? last : tr("%1 and %2").arg(changes.join(QStringLiteral(", ")), last);
    return tr("Outdated: %1 changed since. Run it again.").arg(list);
}

}  // namespace hs::panels
