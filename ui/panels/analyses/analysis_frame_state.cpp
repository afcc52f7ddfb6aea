#include "analyses/analysis_json.h"
#include "analyses/history_json.h"
#include "panels/analyses/analysis_frame.h"
#include "panels/analyses/analysis_note.h"
#include "panels/widgets/panel_widgets.h"
#include "panels/widgets/shown_tokens.h"
#include "service/graph_json.h"
#include "service/lens_json.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStringList>

#include <algorithm>

namespace hs::panels {
namespace {

bool hasModel(const control::Explorer& explorer)
{
    return explorer.state(Side::Left).model || explorer.state(Side::Right).model;
}

struct AsJson {
    Json operator()(const service::FeatureGraph& result) const { return service::jsonOf(result); }
    Json operator()(const features::EdgeHeads& result) const { return service::jsonOf(result); }
    Json operator()(const service::PromptLens& result) const { return service::jsonOf(result); }
    // Shown beside others, and have no panel that writes them.
    Json operator()(const engine::Saliency& /*result*/) const { return {}; }
    Json operator()(const service::HeadWords& /*result*/) const { return {}; }
    Json operator()(const auto& result) const { return analyses::toJson(result); }
};

Json jsonOf(const service::AnalysisResult& result)
{
    return std::visit(AsJson(), result);
}

}  // namespace

SideHeads AnalysisFrame::rankedHeads() const
{
    SideHeads heads;
    const SideShapes shapes = shapesOf(m_explorer);
    for (const Side side : kSides) {
        // A comparison covers both sides and is kept with the left one.
        const Side asked = m_kind == service::AnalysisKind::Compare ? Side::Left : side;
        const auto& finding = state(asked).finding;
        if (!finding)
            continue;
        for (const control::RankedHead& ranked :
             control::ranking(*finding->result, m_explorer.document().analyses))
            if (shapes[indexOf(side)].contains(ranked.head))
                heads[indexOf(side)].push_back(ranked.head);
    }
    return heads;
}

SideHeads AnalysisFrame::theseHeads() const
{
    SideHeads heads;
    for (const Side side : kSides)
        if (const auto& finding = state(side).finding)
            heads[indexOf(side)] = control::chosenHeads(*finding->result, m_explorer.document().analyses);
    return heads;
}

bool AnalysisFrame::hasContent() const
{
    return state(Side::Left).finding || state(Side::Right).finding;
}

QString AnalysisFrame::partOf(const service::AnalysisResult&) const
{
    return {};
}

std::string AnalysisFrame::json() const
{
    Json sides = Json::array();
    for (const Side side : kSides)
        if (const auto& finding = state(side).finding)
            sides.push_back({{"side", indexOf(side)},
                             {"model", sideTitle(m_explorer, side).toStdString()},
                             {"complete", !finding->isPartial},
                             {"result", jsonOf(*finding->result)}});
    const Json tree = {{"analysis", wordOf(m_kind)}, {"sides", std::move(sides)}};
    return tree.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

void AnalysisFrame::refresh()
{
    if (!m_content || !isVisible())
        return;
    showDocument();
    showResult();
    const bool hasResult = state(Side::Left).finding || state(Side::Right).finding;
    m_content->setVisible(hasContent());
    m_empty->setVisible(!hasContent());
    const QString reason = m_explorer.whyNotPossible(m_kind);
    m_empty->setText(reason.isEmpty() ? m_whileEmpty : reason);
    m_menu->setEnabled(hasResult);
    showProgress();
    showNote();
}

void AnalysisFrame::showProgress()
{
    const bool isRunning = analyses().isRunning(m_kind);
    int done = 0, total = 0;
    for (const Side side : kSides)
        if (const control::AnalysisState& now = state(side); now.isRunning) {
            done += now.done;
            total += now.total;
        }
    m_progress->setVisible(isRunning && !control::AnalysisRuns::isLive(m_kind));
    m_progress->setRange(0, total);
    m_progress->setValue(done);
    m_run->setText(isRunning ? tr("Stop") : tr("Run"));
    const bool canRun = std::any_of(kSides.begin(), kSides.end(), [this](Side side) {
        return m_explorer.state(side).model && problem(side).isEmpty();
    });
    m_run->setEnabled(isRunning || canRun);
    m_run->setToolTip(m_explorer.whyNotPossible(m_kind));
}

std::optional<service::AnalysisRequest> AnalysisFrame::wanted(Side side) const
{
    const control::OpenModels models = {m_explorer.state(Side::Left).model,
                                        m_explorer.state(Side::Right).model};
    return control::analysisRequest(m_explorer.document(), m_kind, side, models);
}

QString AnalysisFrame::problem(Side side) const
{
    const auto request = wanted(side);
    return request ? QString::fromStdString(service::problemOf(*request)) : QString();
}

QString AnalysisFrame::note(Side side) const
{
    if (!m_explorer.state(side).model)
        return {};
    const control::AnalysisState& now = state(side);
    if (now.isRunning)
        return now.total > 0 ? tr("%1 of %2").arg(now.done).arg(now.total) : tr("Under way…");
    if (const QString known = problem(side); !known.isEmpty())
        return known;
    if (!now.problem.isEmpty())
        return now.problem;
    if (now.finding && now.isOutdated && !control::AnalysisRuns::isLive(m_kind))
        if (const auto request = wanted(side))
            return outdatedNote(now.finding->request, *request);
    if (now.finding && now.finding->isPartial) {
        const QString part = partOf(*now.finding->result);
        return part.isEmpty() ? tr("Partial: it was stopped.") : tr("Partial: %1.").arg(part);
    }
    return {};
}

void AnalysisFrame::showNote()
{
    if (!hasModel(m_explorer)) {
        showText(*m_note, tr("Open a model first."));
        return;
    }
    if (!m_explorer.whyNotPossible(m_kind).isEmpty())
        return showText(*m_note, {});  // said where the result would be
    const QString left = note(Side::Left), right = note(Side::Right);
    const bool areBoth = m_explorer.state(Side::Left).model && m_explorer.state(Side::Right).model;
    if (left == right || !areBoth) {
        showText(*m_note, left.isEmpty() ? right : left);
        return;
    }
    QStringList notes;
    for (const Side side : kSides)
        if (const QString& text = side == Side::Left ? left : right; !text.isEmpty())
            notes << QStringLiteral("%1: %2").arg(sideTitle(m_explorer, side), text);
    showText(*m_note, notes.join(QStringLiteral(" · ")));
}

}  // namespace hs::panels
