#include "control/document/changed_cells.h"

#include "render/translate.h"

#include <algorithm>

namespace hs::control {

QList<QRectF> placesOf(const HeadChange& change, const service::SideResult& run)
{
    const stats::PatternShape pattern = run.after.pattern();
    QList<QRectF> places;
    for (const CellEdit& edit : change.cells) {
        CellBounds bounds = edit.cells.boundsIn(static_cast<int>(run.textTokens().size()));
        if (bounds.isEmpty())
            continue;
        bounds = {run.placeOf(bounds.query), run.placeOf(bounds.queryEnd - 1) + 1, run.placeOf(bounds.key),
                  run.placeOf(bounds.keyEnd - 1) + 1};
        places << QRectF(double(bounds.key) / pattern.keys, double(bounds.query) / pattern.queries,
                         double(bounds.keyEnd - bounds.key) / pattern.keys,
                         double(bounds.queryEnd - bounds.query) / pattern.queries);
    }
    return places;
}

QString changeWords(HeadId head, const HeadChange& change)
{
    const QString name = QString::fromStdString(toString(head));
    switch (change.kind) {
    case HeadChange::Kind::Zero: break;
    case HeadChange::Kind::Mean: return tr("%1 at its mean").arg(name);
    case HeadChange::Kind::Replace: return tr("%1 patched from a corrupted prompt").arg(name);
    case HeadChange::Kind::Cells: return name + QString::fromStdString(toString(change));
    }
    return tr("%1 at zero").arg(name);
}

QStringList changeCounts(const std::map<HeadId, HeadChange>& changes)
{
    const auto mlps = std::ranges::count_if(changes, [](const auto& entry) { return entry.first.isMlp(); });
    const auto whole =
        std::ranges::count_if(changes, [](const auto& entry) { return entry.second.isWhole(); }) - mlps;
    const auto rest = static_cast<std::ptrdiff_t>(changes.size()) - whole - mlps;
    QStringList counts;
    if (whole > 0)
        counts << tr("%1 heads ablated").arg(whole);
    if (mlps > 0)
        counts << tr("%1 MLPs ablated").arg(mlps);
    if (rest > 0)
        counts << tr("cells of %1 heads changed").arg(rest);
    return counts;
}

}  // namespace hs::control
