#include "control/explorer.h"

#include "analysis/head_filter.h"
#include "control/document_command.h"
#include "control/explorer_private.h"
#include "control/shown_heads.h"

#include <QFileInfo>
#include <QUndoStack>

#include <algorithm>

namespace hs {
namespace {

constexpr int kMostSteps = 1000;

/// All query heads that share a key/value head with one of these.
std::set<HeadId> wholeGroups(const std::set<HeadId>& heads, const HeadShape& shape)
{
    if (shape.kvHeads <= 0)
        return heads;
    const int groupSize = std::max(shape.heads / shape.kvHeads, 1);
    std::set<HeadId> groups;
    for (const HeadId head : heads)
        for (int member = 0; member < groupSize; ++member)
            groups.insert({head.layer, head.head / groupSize * groupSize + member});
    return groups;
}

QString nameOf(const std::set<HeadId>& heads)
{
    return heads.size() == 1 ? QString::fromStdString(toString(*heads.begin()))
                             : Explorer::tr("%1 heads").arg(heads.size());
}

HeadShape shapeOf(const SideState& state)
{
    return state.run ? state.run->after.heads : state.model ? state.model->heads : HeadShape{};
}

}  // namespace

Explorer::Explorer(std::unique_ptr<Backend> backend, Preferences preferences, QObject* parent)
    : QObject(parent), m_preferences(std::move(preferences)), m_history(new QUndoStack(this)),
      m_private(std::make_unique<Private>(*this, std::move(backend)))
{
    m_document.look = m_preferences.look;
    m_history->setUndoLimit(kMostSteps);
}

Explorer::~Explorer() = default;

void Explorer::Private::apply(const Document& document)
{
    m_owner.m_document = document;
    const bool wasApplying = std::exchange(m_isApplying, true);
    synchronise(/*isNew=*/true);
    m_isApplying = wasApplying;
}

void Explorer::Private::editLater(const QString& what, const Document& changed)
{
    const auto follow = [this, what, before = m_owner.m_document, changed] {
        if (m_owner.m_document == before)
            m_owner.edit(what, [&](Document& document) { document = changed; });
    };
    QMetaObject::invokeMethod(&m_owner, follow, Qt::QueuedConnection);
}

QString Explorer::Private::mergeKey(const QString& key) const
{
    return key.isEmpty() ? key : key + QLatin1Char('/') + QString::number(m_epoch);
}

void Explorer::edit(const QString& what, const std::function<void(Document&)>& change,
                    const QString& mergeKey)
{
    Document changed = m_document;
    change(changed);
    if (changed == m_document)
        return;
    if (m_private->isApplying())
        return m_private->editLater(what, changed);
    bool isFirst = true;
    const auto apply = [this, isFirst](const Document& document) mutable {
        if (!std::exchange(isFirst, false))
            m_private->forbidMerging();  // after undo and redo a new row of steps begins
        m_private->apply(document);
    };
    m_history->push(
        new DocumentCommand(what, m_document, std::move(changed), m_private->mergeKey(mergeKey), apply));
}

void Explorer::reset(Document document)
{
    m_history->clear();
    m_private->forbidMerging();
    select({});
    setCurrent(Side::Left, std::nullopt);
    setHover({});
    m_private->apply(document);
}

void Explorer::setPreferences(const Preferences& preferences)
{
    if (preferences == m_preferences)
        return;
    m_preferences = preferences;
    m_private->details().setBudget(preferences.mapBudget);
    Q_EMIT preferencesChanged();
    m_private->synchronise();
}

bool Explorer::hasSameTokens() const
{
    const auto& left = state(Side::Left).run;
    const auto& right = state(Side::Right).run;
    return left && right && left->tokens == right->tokens;
}

std::set<HeadId> Explorer::matchingHeads(Side side) const
{
    const SideState& shown = state(side);
    std::set<HeadId> heads = allHeads(shapeOf(shown));
    const auto filter = HeadFilter::parse(m_document.filter.toStdString(), shapeOf(shown));
    if (filter && shown.run)
        std::erase_if(heads,
                      [&](HeadId head) { return !filter->matches(head, shown.run->after.statsOf(head)); });
    return heads;
}

QString Explorer::filterProblem() const
{
    const auto filter = HeadFilter::parse(m_document.filter.toStdString(), shapeOf(state(m_activeSide)));
    return filter ? QString() : QString::fromStdString(filter.error().message);
}

std::vector<HeadId> Explorer::shownHeads(Side side) const
{
    const SideState& shown = state(side);
    std::span<const HeadStats> stats;
    if (shown.run)
        stats = shown.run->after.stats;
    return headsShown(m_document.side(side).grid, shapeOf(shown), stats);
}

void Explorer::select(std::set<HeadId> heads)
{
    if (heads == m_selection)
        return;
    m_selection = std::move(heads);
    Q_EMIT selectionChanged();
}

void Explorer::setCurrent(Side side, std::optional<HeadId> head)
{
    if (side == m_activeSide && head == m_currentHead)
        return;
    m_activeSide = side;
    m_currentHead = head;
    m_private->details().setOpenedLayer(head ? std::optional(head->layer) : std::nullopt);
    Q_EMIT currentChanged();
}

void Explorer::setHover(const Hover& hover)
{
    if (hover == m_hover)
        return;
    m_hover = hover;
    Q_EMIT hoverChanged();
}

std::set<HeadId> Explorer::Private::reach(Side side, const std::set<HeadId>& heads) const
{
    const SideState& shown = m_owner.state(side);
    if (!shown.model)
        return heads;
    std::set<HeadId> reached = heads;
    std::erase_if(reached, [&](HeadId head) { return !shown.model->heads.contains(head); });
    return m_owner.m_document.tool.isWholeGroup ? wholeGroups(reached, shown.model->heads) : reached;
}

void Explorer::toggleAblation(Side side, const std::set<HeadId>& heads)
{
    const std::set<HeadId> reached = m_private->reach(side, heads);
    const auto& ablations = m_document.side(side).ablations;
    const bool areAllAblated =
        std::ranges::all_of(reached, [&](HeadId head) { return ablations.contains(head); });
    edit(areAllAblated ? tr("Restore %1").arg(nameOf(reached)) : tr("Ablate %1").arg(nameOf(reached)),
         [&](Document& document) {
             for (const HeadId head : reached) {
                 if (areAllAblated)
                     document.side(side).ablations.erase(head);
                 else
                     document.side(side).ablations.emplace(head, document.tool.kind);
             }
         });
}

void Explorer::setAblated(Side side, const std::set<HeadId>& heads, bool isAblated)
{
    const std::set<HeadId> reached = m_private->reach(side, heads);
    edit(isAblated ? tr("Ablate %1").arg(nameOf(reached)) : tr("Restore %1").arg(nameOf(reached)),
         [&](Document& document) {
             for (const HeadId head : reached) {
                 if (isAblated)
                     document.side(side).ablations.insert_or_assign(head, document.tool.kind);
                 else
                     document.side(side).ablations.erase(head);
             }
         });
}

void Explorer::keepOnly(Side side, const std::set<HeadId>& heads)
{
    if (!state(side).model)
        return;
    const std::set<HeadId> kept = m_private->reach(side, heads);
    edit(tr("Keep only %1").arg(nameOf(kept)), [&](Document& document) {
        auto& ablations = document.side(side).ablations;
        for (const HeadId head : allHeads(state(side).model->heads)) {
            if (kept.contains(head))
                ablations.erase(head);
            else
                ablations.emplace(head, document.tool.kind);
        }
    });
}

void Explorer::openModel(Side side, const QString& source)
{
    edit(source.isEmpty() ? tr("Close model") : tr("Open %1").arg(QFileInfo(source).fileName()),
         [&](Document& document) { document.side(side).model = source; });
    m_private->retry(side);
}

void Explorer::swapSides()
{
    edit(tr("Swap sides"), [](Document& document) { std::swap(document.sides[0], document.sides[1]); });
}

LayerMap Explorer::map(const MapQuery& query)
{
    return m_private->details().map(query);
}

std::shared_ptr<const std::vector<float>> Explorer::cellWeights(Side side)
{
    if (!m_document.key || !m_document.query)
        return nullptr;
    return m_private->details().cells(side, *m_document.query, *m_document.key);
}

FigureRuns& Explorer::figures()
{
    return m_private->figures();
}

AnalysisRuns& Explorer::analyses()
{
    return m_private->analyses();
}

const AnalysisRuns& Explorer::analyses() const
{
    return m_private->analyses();
}

void Explorer::cancel()
{
    m_private->cancel();
}

void Explorer::rerun()
{
    m_private->rerun();
}

}  // namespace hs
