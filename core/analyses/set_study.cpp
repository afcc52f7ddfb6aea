#include "analyses/set_study.h"

#include "analyses/comparison.h"
#include "analyses/written_units.h"
#include "base/failure.h"
#include "engine/run/prompt_batch.h"
#include "stats/metric_table.h"
#include "stats/model_summary.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace hs::analyses {
namespace {

struct SummaryColumn {
    const char* name;
    double (*of)(const stats::ModelSummary&);
};

constexpr SummaryColumn kSummaryColumns[] = {
    {"diagonal_dominance", [](const stats::ModelSummary& summary) { return summary.diagonalDominance; }},
    {"mean_peak", [](const stats::ModelSummary& summary) { return summary.meanPeak; }},
    {"diagonal_intensity", [](const stats::ModelSummary& summary) { return summary.diagonalIntensity; }},
    {"active_edges", [](const stats::ModelSummary& summary) { return summary.activeEdges; }},
    {"off_diagonal_above_half",
     [](const stats::ModelSummary& summary) { return static_cast<double>(summary.offDiagonalAboveHalf); }},
    {"heads_retained",
     [](const stats::ModelSummary& summary) { return static_cast<double>(summary.headsRetained); }}};

std::vector<std::string> headNames(const HeadShape& shape)
{
    std::vector<std::string> names;
    for (const HeadId head : shape.all())
        names.push_back(toString(head));
    return names;
}

std::vector<std::string> metricNames()
{
    std::vector<std::string> names;
    for (const stats::Metric& metric : stats::allMetrics())
        names.emplace_back(metric.name);
    return names;
}

std::vector<std::string> writtenNames()
{
    return {std::string(kLogitMetric), std::string(kNormMetric)};
}

SetGroup mlpsOf(const HeadShape& shape)
{
    std::vector<std::string> names;
    for (int layer = 0; layer < shape.layers; ++layer)
        names.push_back(toString(HeadId::mlpOf(layer)));
    return {"mlps", names, writtenNames()};
}

SetGroup headsOf(SetStudyKind kind, const std::vector<StudiedModel>& models)
{
    std::vector<std::string> columns;
    if (kind != SetStudyKind::Comparison) {
        columns = metricNames();
        if (kind == SetStudyKind::WrittenUnits)
            std::ranges::copy(writtenNames(), std::back_inserter(columns));
        return {"heads", headNames(models.front().heads), columns};
    }
    for (const char* const side : {"dense_", "sparse_"})
        for (const std::string& metric : metricNames())
            columns.push_back(side + metric);
    columns.insert(columns.end(), {"total_variation", "jensen_shannon"});
    return {"heads",
            models.front().heads.hasSameHeads(models.back().heads) ? headNames(models.front().heads)
                                                                   : std::vector<std::string>(),
            columns};
}

SetGroup overallOf(SetStudyKind kind)
{
    if (kind != SetStudyKind::Comparison)
        return {"overall", {"model"}, {"loss", "density"}};
    std::vector<std::string> columns = {"loss", "density"};
    for (const SummaryColumn& column : kSummaryColumns)
        columns.emplace_back(column.name);
    return {"overall", {"dense", "sparse", "reduction"}, columns};
}

void addMetrics(SetGroup& heads, const engine::RunResult& run)
{
    std::size_t row = 0;
    for (const HeadId head : run.heads.all()) {
        std::size_t column = 0;
        for (const stats::Metric& metric : stats::allMetrics())
            heads.at(row, column++).add(metric.of(run.statsOf(head)));
        ++row;
    }
}

void addWritten(SetGroup& heads, SetGroup& mlps, const HeadShape& shape, const WrittenUnits& written)
{
    const auto add = [&](SetGroup& group, std::size_t row, HeadId unit) {
        const std::size_t columns = group.columns.size();
        group.at(row, columns - 2).add(written.logits.at(unit));
        group.at(row, columns - 1).add(written.norms.at(unit));
    };
    std::size_t row = 0;
    for (const HeadId head : shape.all())
        add(heads, row++, head);
    for (int layer = 0; layer < shape.layers; ++layer)
        add(mlps, static_cast<std::size_t>(layer), HeadId::mlpOf(layer));
}

void addComparison(SetGroup& overall, SetGroup& heads, const std::vector<engine::RunResult>& runs)
{
    const Comparison comparison = compareHeads(runs[0], runs[1]);
    std::size_t column = 2;
    for (const SummaryColumn& each : kSummaryColumns) {
        overall.at(0, column).add(each.of(comparison.first));
        overall.at(1, column).add(each.of(comparison.second));
        overall.at(2, column).add(stats::reduction(each.of(comparison.first), each.of(comparison.second)));
        ++column;
    }
    for (const HeadPair& pair : comparison.pairs) {
        const auto row = static_cast<std::size_t>(runs[0].heads.indexOf(pair.head));
        column = 0;
        for (const stats::HeadStats* const stats : {&pair.first, &pair.second})
            for (const stats::Metric& metric : stats::allMetrics())
                heads.at(row, column++).add(metric.of(*stats));
        heads.at(row, column++).add(pair.distance.totalVariation);
        heads.at(row, column).add(pair.distance.jensenShannon);
    }
}

}  // namespace

SetStudy::SetStudy(SetStudyKind kind, std::vector<StudiedModel> models, SetResult result, SetAlign align,
                   std::uint64_t mapBudget)
    : m_kind(kind), m_models(std::move(models)), m_result(std::move(result))
{
    if (!m_result.groups.empty())
        return;  // which goes on
    m_result.sideCount = static_cast<int>(m_models.size());
    m_result.groups.push_back(overallOf(kind));
    if (kind == SetStudyKind::Maps || kind == SetStudyKind::Averages)
        m_result.maps.emplace(m_models.front().heads, align, mapBudget);
    if (kind != SetStudyKind::Maps)
        m_result.groups.push_back(headsOf(kind, m_models));
    if (kind == SetStudyKind::WrittenUnits)
        m_result.groups.push_back(mlpsOf(m_models.front().heads));
}

void SetStudy::add(StudiedPrompt prompt, const Hooks& hooks)
{
    hooks.throwIfCancelled();
    std::vector<std::size_t> lengths;
    for (engine::RunRequest& request : prompt.requests) {
        request.capture.fullMaps =
            (m_result.maps || m_kind == SetStudyKind::Comparison) && !addsUpMaps(request);
        request.capture.headOutputs = m_kind == SetStudyKind::WrittenUnits;
        request.capture.tileSide = 1;  // tiles are made from averages, not averaged
        lengths.push_back(request.tokens.size());
    }
    const int together = mostTogether(prompt);
    if (together == 1) {
        runAlone(prompt, hooks);
        return;
    }
    std::vector<StudiedPrompt>& waiting = m_waiting[lengths];
    waiting.push_back(std::move(prompt));
    if (std::ssize(waiting) == together)
        runTogether(m_waiting.extract(lengths).mapped(), hooks);
}

void SetStudy::finish(const Hooks& hooks)
{
    while (!m_waiting.empty())
        runTogether(m_waiting.extract(m_waiting.begin()).mapped(), hooks);
}

bool SetStudy::isOne() const
{
    return m_result.promptCount == 1;  // whose numbers are those of a run
}

int SetStudy::mostTogether(const StudiedPrompt& prompt) const
{
    if (isOne() || m_kind == SetStudyKind::WrittenUnits)
        return 1;
    int most = std::numeric_limits<int>::max();
    for (const engine::RunRequest& request : prompt.requests)
        most = std::min(most, engine::promptsTogether(request));
    return most;
}

bool SetStudy::addsUpMaps(engine::RunRequest request) const
{
    request.capture.fullMaps = false;
    return !isOne() && m_result.maps && m_result.maps->align() != SetAlign::Slots &&
           engine::canAddUpMaps(request);
}

void SetStudy::runAlone(const StudiedPrompt& prompt, const Hooks& hooks)
{
    std::vector<engine::RunResult> results;  // [model]
    for (std::size_t model = 0; model < m_models.size(); ++model)
        results.push_back(orThrow(m_models[model].engine->run(prompt.requests[model], {{}, hooks.stop})));
    if (m_result.maps)  // first: it may refuse
        m_result.maps->add(results.front(), prompt.cells, m_models.front().tokenText);
    record(prompt, results, hooks);
    hooks.report(done(), m_result.promptCount);
}

void SetStudy::runTogether(const std::vector<StudiedPrompt>& prompts, const Hooks& hooks)
{
    const bool addsUp = addsUpMaps(prompts.front().requests.front());
    std::vector<std::vector<engine::RunResult>> results;  // [model][prompt]
    for (std::size_t model = 0; model < m_models.size(); ++model) {
        std::vector<engine::RunRequest> requests;
        for (const StudiedPrompt& prompt : prompts)
            requests.push_back(prompt.requests[model]);
        results.push_back(
            orThrow(engine::runTogether(requests, {{}, hooks.stop}, addsUp ? &m_totals : nullptr)));
    }
    if (addsUp)  // first: it may refuse
        m_result.maps->add(results.front(), m_totals, m_models.front().tokenText);
    for (std::size_t prompt = 0; prompt < prompts.size(); ++prompt) {
        std::vector<engine::RunResult> ofPrompt;
        for (std::vector<engine::RunResult>& ofModel : results)
            ofPrompt.push_back(std::move(ofModel[prompt]));
        if (m_result.maps && !addsUp)
            m_result.maps->add(ofPrompt.front(), prompts[prompt].cells, m_models.front().tokenText);
        record(prompts[prompt], ofPrompt, hooks);
    }
    hooks.report(done(), m_result.promptCount);
}

void SetStudy::record(const StudiedPrompt& prompt, const std::vector<engine::RunResult>& results,
                      const Hooks& hooks)
{
    SetGroup& overall = m_result.groups.front();
    std::optional<analyses::WrittenUnits> written;  // first: it may be stopped
    if (m_kind == SetStudyKind::WrittenUnits)
        written = writtenUnits(*m_models.front().engine, prompt.requests.front(), results.front(),
                               {{}, hooks.stop});
    SetRow row{prompt.index, results.front().queries(), {}};
    for (std::size_t model = 0; model < results.size(); ++model) {
        const engine::RunResult& run = results[model];
        SetAnswer& answer = row.sides[model];
        answer.loss = run.loss.value_or(NAN);
        if (!run.predictions.empty()) {
            answer.answer = m_models[model].tokenText(run.predictions.front().token);
            answer.probability = run.predictions.front().probability;
        }
        overall.at(model, 0).add(answer.loss);
        overall.at(model, 1).add(run.density);
    }
    if (m_kind == SetStudyKind::Comparison)
        addComparison(overall, m_result.groups[1], results);
    else if (m_kind != SetStudyKind::Maps)
        addMetrics(m_result.groups[1], results.front());
    if (written)
        addWritten(m_result.groups[1], m_result.groups[2], results.front().heads, *written);
    const auto place = std::ranges::upper_bound(m_result.rows, row.index, {}, &SetRow::index);
    m_result.rows.insert(place, std::move(row));
}

void SetStudy::leaveOut(int index, std::string problem)
{
    const auto place = std::ranges::upper_bound(m_result.leftOut, index, {}, &text::LeftOutPrompt::index);
    m_result.leftOut.insert(place, {index, std::move(problem)});
}

int SetStudy::done() const
{
    return static_cast<int>(m_result.rows.size() + m_result.leftOut.size());
}

SetResult SetStudy::take()
{
    return std::move(m_result);
}

}  // namespace hs::analyses
