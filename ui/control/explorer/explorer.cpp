#include "control/explorer/explorer.h"

#include "control/analyses/analysis_runs.h"
#include "control/document/document_command.h"
#include "control/document/generated_text.h"
#include "control/document/shown_heads.h"
#include "control/document/side_links.h"
#include "control/explorer/device_checks.h"
#include "control/explorer/generation_runs.h"
#include "control/explorer/label_keeper.h"
#include "control/explorer/likeness_orders.h"
#include "control/explorer/run_details.h"
#include "control/figures/figure_runs.h"
#include "control/work/worker.h"
#include "stats/head_filter.h"

#include <QFileInfo>
#include <QUndoStack>

#include <algorithm>
#include <cmath>

namespace hs::control {
namespace {

constexpr int kMostSteps = 1000;
// Typing rests for this share of what a run takes, within these bounds in milliseconds.
constexpr double kPauseShare = 0.5;
constexpr double kLeastPause = 250;
constexpr double kLongestPause = 1500;
// The worker's slots.
constexpr int kRunSlots = 0;
constexpr int kDetailSlots = kRunSlots + SideRuns::kSlots;
constexpr int kFigureSlots = kDetailSlots + RunDetails::kSlots;
constexpr int kAnalysisSlots = kFigureSlots + FigureRuns::kSlots;
constexpr int kLabelSlots = kAnalysisSlots + AnalysisRuns::kSlots;
constexpr int kGenerationSlots = kLabelSlots + LabelKeeper::kSlots;
constexpr int kCheckSlots = kGenerationSlots + GenerationRuns::kSlots;

/// All query heads that share a key/value head with one of `heads`.
std::set<HeadId> wholeGroups(const std::set<HeadId>& heads, const HeadShape& shape)
{
    if (shape.kvHeads <= 0)
        return heads;
    const int groupSize = std::max(shape.heads / shape.kvHeads, 1);
    std::set<HeadId> groups;
    for (const HeadId head : heads)
        if (head.isMlp())
            groups.insert(head);
        else
            for (int member = 0; member < groupSize; ++member)
                groups.insert({head.layer, head.head / groupSize * groupSize + member});
    return groups;
}

QString nameOf(const std::set<HeadId>& heads)
{
    return heads.size() == 1 ? QString::fromStdString(toString(*heads.begin()))
                             : Explorer::tr("%1 heads").arg(heads.size());
}

}  // namespace

Explorer::Explorer(std::unique_ptr<service::Backend> backend, Preferences preferences, QObject* parent)
    : QObject(parent), m_preferences(std::move(preferences)), m_history(new QUndoStack(this)),
      m_worker(std::make_unique<Worker>(std::move(backend))),
      m_runs(std::make_unique<SideRuns>(*m_worker, kRunSlots)),
      m_details(std::make_unique<RunDetails>(*m_worker, kDetailSlots, m_preferences.mapBudget)),
      m_likeness(new LikenessOrders(this)),
      m_figures(std::make_unique<FigureRuns>(*m_worker, kFigureSlots, [this] { return wantedFigure(); })),
      m_analyses(std::make_unique<AnalysisRuns>(
          *m_worker, kAnalysisSlots,
          [this](service::AnalysisKind kind, Side side) { return wantedAnalysis(kind, side); })),
      m_labels(std::make_unique<LabelKeeper>(*m_worker, kLabelSlots)),
      m_devices(std::make_unique<DeviceChecks>(*m_worker, kCheckSlots)),
      m_generation(std::make_unique<GenerationRuns>(*m_worker, kGenerationSlots))
{
    m_worker->prepare(m_preferences.device);
    m_document.look = m_preferences.look;
    m_history->setUndoLimit(kMostSteps);
    connectWork();
}

Explorer::~Explorer() = default;

void Explorer::connectWork()
{
    connect(m_worker.get(), &Worker::activityChanged, this, &Explorer::activityChanged);
    connect(m_runs.get(), &SideRuns::stateChanged, this, [this](Side side) {
        m_details->setRun(side, state(side).run);
        matchTokens();
        settleSelection();
        Q_EMIT stateChanged(side);
    });
    connect(m_runs.get(), &SideRuns::partChanged, this, &Explorer::partChanged);
    connect(m_runs.get(), &SideRuns::arrived, this, [this] { synchronise(); });
    connect(m_runs.get(), &SideRuns::failed, this, &Explorer::raise);
    connect(m_runs.get(), &SideRuns::noted, this,
            [this](const QString& note) { Q_EMIT messageRaised({Message::Kind::Note, note, {}}); });
    connect(m_details.get(), &RunDetails::mapReady, this, &Explorer::mapReady);
    connect(m_details.get(), &RunDetails::cellsReady, this, &Explorer::cellWeightsReady);
    connect(m_details.get(), &RunDetails::tilesReady, this, &Explorer::stateChanged);
    connect(m_details.get(), &RunDetails::tilesDropped, this, [this] {
        Document shown = m_document;
        if (!mapKindOf(shown.tiles))
            return;
        shown.tiles = TileValue::Weights;
        apply(shown);
    });
    connect(m_labels.get(), &LabelKeeper::failed, this, &Explorer::raise);
    connect(m_devices.get(), &DeviceChecks::differs, this,
            [this](const QString& text, const QString& detail) {
                Q_EMIT messageRaised({Message::Kind::Warning, text, detail});
            });
    connect(m_likeness, &LikenessOrders::made, this, &Explorer::stateChanged);
    const auto raiseOrReopen = [this](const Error& error) {
        error.code == ErrorCode::DeviceLost ? m_runs->reopen(error) : raise(error);
    };
    connect(m_details.get(), &RunDetails::failed, this, raiseOrReopen);
    connect(m_generation.get(), &GenerationRuns::failed, this, raiseOrReopen);
    connect(m_generation.get(), &GenerationRuns::changed, this, &Explorer::generationChanged);
    connect(m_generation.get(), &GenerationRuns::finished, this, &Explorer::takeGenerated);
}

void Explorer::raise(const Error& error)
{
    if (error.code != ErrorCode::Cancelled)
        Q_EMIT messageRaised({Message::Kind::Error, QString::fromStdString(error.message),
                              QString::fromStdString(error.detail)});
}

void Explorer::editLater(const QString& what, const Document& changed)
{
    const auto follow = [this, what, before = m_document, changed] {
        if (m_document == before)
            edit(what, [&](Document& document) { document = changed; });
    };
    QMetaObject::invokeMethod(this, follow, Qt::QueuedConnection);
}

void Explorer::edit(const QString& what, const std::function<void(Document&)>& change,
                    const QString& mergeKey)
{
    Document changed = m_document;
    change(changed);
    if (changed.key != m_document.key && changed.keyTo == m_document.keyTo)
        changed.keyTo.reset();
    if (changed.query != m_document.query && changed.queryTo == m_document.queryTo)
        changed.queryTo.reset();
    if (tokenSide(changed) != tokenSide())
        recount(changed, tokenSide(), tokenSide(changed));
    keepAlike(changed, m_document);
    forgetGenerated(changed, m_document);
    if (changed == m_document)
        return;
    if (m_isApplying)
        return editLater(what, changed);
    bool isFirst = true;
    const auto apply = [this, isFirst](const Document& document) mutable {
        if (!std::exchange(isFirst, false))
            ++m_mergeEpoch;  // after undo and redo a new series of steps begins
        this->apply(document);
    };
    const QString key =
        mergeKey.isEmpty() ? mergeKey : mergeKey + QLatin1Char('/') + QString::number(m_mergeEpoch);
    m_history->push(new DocumentCommand(what, m_document, std::move(changed), key, apply));
}

void Explorer::reset(const Document& document)
{
    m_history->clear();
    ++m_mergeEpoch;
    select({});
    setCurrent(Side::Left, std::nullopt);
    setHover({});
    m_kept = {};
    m_labels->forget();
    apply(document);
}

void Explorer::setPreferences(const Preferences& preferences)
{
    if (preferences == m_preferences)
        return;
    m_preferences = preferences;
    m_details->setBudget(preferences.mapBudget);
    Q_EMIT preferencesChanged();
    synchronise();
}

std::set<HeadId> Explorer::matchingHeads(Side side) const
{
    const SideState& shown = state(side);
    std::set<HeadId> heads = allHeads(shapeOf(shown));
    const auto filter = stats::HeadFilter::parse(m_document.filter.toStdString(), shapeOf(shown));
    if (filter && shown.run)
        std::erase_if(heads,
                      [&](HeadId head) { return !filter->matches(head, shown.run->after.statsOf(head)); });
    return heads;
}

QString Explorer::filterProblem() const
{
    const auto filter =
        stats::HeadFilter::parse(m_document.filter.toStdString(), shapeOf(state(m_activeSide)));
    return filter ? QString() : QString::fromStdString(filter.error().message);
}

std::vector<HeadId> Explorer::shownHeads(Side side, const GridChoice& choice) const
{
    const SideState& shown = state(side);
    HeadFacts facts;
    if (shown.run)
        facts = {shown.run->after.stats, shown.run->kinds, {}};
    if (choice.order == kByLikeness)
        facts.byLikeness = m_likeness->of(side, shown.run, m_document.look.hidesFirstToken);
    return headsShown(choice, shapeOf(shown), facts);
}

ShownGrids Explorer::shownGrids() const
{
    return {{shownHeads(Side::Left), shownHeads(Side::Right)}, m_flows, m_isStacked};
}

void Explorer::setLayout(const std::array<render::TileFlow, 2>& flows, bool isStacked)
{
    m_flows = flows;
    m_isStacked = isStacked;
}

void Explorer::select(std::set<HeadId> heads)
{
    std::erase_if(heads,
                  [](HeadId head) { return head.isMlp(); });  // nothing that takes a selection takes one
    if (heads == m_selection)
        return;
    m_selection = std::move(heads);
    m_selectionSide = m_activeSide;
    Q_EMIT selectionChanged();
}

void Explorer::setCurrent(Side side, std::optional<HeadId> head)
{
    if (side == m_activeSide && head == m_currentHead)
        return;
    m_activeSide = side;
    m_currentHead = head;
    m_details->setOpenedLayer(head ? std::optional(head->layer) : std::nullopt);
    m_analyses->synchronise();
    Q_EMIT currentChanged();
}

void Explorer::setHover(const Hover& hover)
{
    if (hover == m_hover)
        return;
    m_hover = hover;
    Q_EMIT hoverChanged();
}

void Explorer::setTokenShades(std::vector<double> shades)
{
    if (shades == m_tokenShades)
        return;
    m_tokenShades = std::move(shades);
    Q_EMIT tokenShadesChanged();
}

std::set<HeadId> Explorer::headsMeant(Side side, const std::set<HeadId>& heads) const
{
    const SideState& shown = state(side);
    if (!shown.model)
        return heads;
    if (!whyNoRun(side).isEmpty())
        return {};
    std::set<HeadId> meant = heads;
    std::erase_if(meant, [&](HeadId head) { return !shown.model->heads.containsUnit(head); });
    return m_document.tool.isWholeGroup ? wholeGroups(meant, shown.model->heads) : meant;
}

void Explorer::toggleAblation(Side side, const std::set<HeadId>& heads)
{
    const std::set<HeadId> meant = headsMeant(side, heads);
    const auto& ablations = m_document.side(side).ablations;
    const bool areAllAblated =
        std::ranges::all_of(meant, [&](HeadId head) { return ablations.contains(head); });
    edit(areAllAblated ? tr("Restore %1").arg(nameOf(meant)) : tr("Ablate %1").arg(nameOf(meant)),
         [&](Document& document) {
             for (const HeadId head : meant) {
                 if (areAllAblated)
                     document.side(side).ablations.erase(head);
                 else
                     document.side(side).ablations.emplace(head, document.tool.kind);
             }
         });
}

void Explorer::setAblated(Side side, const std::set<HeadId>& heads, bool isAblated)
{
    const std::set<HeadId> meant = headsMeant(side, heads);
    edit(isAblated ? tr("Ablate %1").arg(nameOf(meant)) : tr("Restore %1").arg(nameOf(meant)),
         [&](Document& document) {
             for (const HeadId head : meant) {
                 if (isAblated)
                     document.side(side).ablations.insert_or_assign(head, document.tool.kind);
                 else
                     document.side(side).ablations.erase(head);
             }
         });
}

void Explorer::toggleCells(Side side, HeadId head, const CellBlock& places)
{
    if (!state(side).model || !whyNoRun(side).isEmpty())
        return;
    const CellBlock block = tokensAt(side, places);
    const auto& run = state(side).run;
    if (run && !block.hasCells(static_cast<int>(run->textTokens().size())))
        return;  // no query sees a later key
    const auto& ablations = m_document.side(side).ablations;
    if (isSwitchedOff(ablations, head))
        return;
    const auto isMeant = [&](const CellEdit& edit) { return edit.cells == block; };
    const auto found = ablations.find(head);
    const bool isDone = found != ablations.end() && std::ranges::any_of(found->second.cells, isMeant);
    const QString cells = QStringLiteral("%1[%2]").arg(QString::fromStdString(toString(head)),
                                                       QString::fromStdString(toString(block)));
    edit(isDone ? tr("Restore %1").arg(cells) : tr("Cut %1").arg(cells), [&](Document& document) {
        HeadChange& change =
            document.side(side).ablations.try_emplace(head, HeadChange::Kind::Cells).first->second;
        if (!isDone)
            change.cells.push_back({block, document.tool.cells});
        else if (std::erase_if(change.cells, isMeant); change.cells.empty())
            document.side(side).ablations.erase(head);
    });
}

void Explorer::keepOnly(Side side, const std::set<HeadId>& heads)
{
    if (!state(side).model || !whyNoRun(side).isEmpty())
        return;
    const std::set<HeadId> kept = headsMeant(side, heads);
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
         [&](Document& document) { document.side(side).setModel(source); });
    m_runs->retry(side);
    synchronise();
}

void Explorer::keepAsOtherSide()
{
    const Side kept = m_document.side(m_activeSide).model.isEmpty() ? otherSide(m_activeSide) : m_activeSide;
    edit(tr("Keep as the other side"), [kept](Document& document) { keepAsOther(document, kept); });
}

void Explorer::addAdapter(Side side, const QString& folder)
{
    edit(tr("Add adapter %1").arg(QFileInfo(folder).fileName()), [&](Document& document) {
        auto& adapters = document.side(side).adapters;
        if (std::ranges::find(adapters, folder.toStdString(), &engine::AdapterChoice::folder) ==
            adapters.end())
            adapters.push_back({folder.toStdString()});
    });
}

void Explorer::swapSides()
{
    edit(tr("Swap sides"), [this](Document& document) {
        recount(document, tokenSide(), otherSide(tokenSide()));
        std::swap(document.sides[0], document.sides[1]);
    });
}

engine::LayerMap Explorer::map(const service::MapQuery& query)
{
    return m_details->map(query);
}

std::shared_ptr<const std::vector<float>> Explorer::cellWeights(Side side)
{
    const CellSpan cell = pinned(side);
    return cell.query && cell.key ? m_details->cells(side, *cell.query, *cell.key, hasSelection(m_document))
                                  : nullptr;
}

std::shared_ptr<const render::TilePyramid> Explorer::tiles(Side side, engine::MapKind kind) const
{
    const auto& run = state(side).run;
    return kind != engine::MapKind::Weights ? m_details->tiles(side, kind) : run ? run->tiles : nullptr;
}

const Activity& Explorer::activity() const
{
    return m_worker->activity();
}

std::chrono::milliseconds Explorer::typingPause() const
{
    double runs = 0;  // milliseconds, through all layers
    for (const Side side : kSides)
        if (const auto& run = state(side).run) {
            const int layers = run->after.heads.layers;
            runs += run->after.milliseconds * layers / std::max(layers - run->after.firstLayerComputed, 1);
        }
    return std::chrono::milliseconds(std::lround(std::clamp(kPauseShare * runs, kLeastPause, kLongestPause)));
}

void Explorer::cancel()
{
    m_details->cancel();
    m_figures->cancel();
    for (const service::AnalysisKind kind : service::kAnalyses)
        m_analyses->stop(kind);
    m_generation->stop();
    m_devices->cancel();
    m_runs->cancel();
}

void Explorer::rerun()
{
    m_runs->rerun();
    m_figures->remake();
    synchronise();
}

}  // namespace hs::control
