#include "train/pair_report.h"

#include "base/json_reader.h"
#include "train/passages.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hs::train {
namespace {

constexpr int kReportVersion = 1;
constexpr const char* kReportSides[] = {"dense", "sparse"};
constexpr int kMostCount = 1 << 30;

Json toJson(const ReportModel& model)
{
    return {{"model", model.name},
            {"layers", model.heads.layers},
            {"heads", model.heads.heads},
            {"gate_bias", model.gateBias ? Json(*model.gateBias) : Json(nullptr)}};
}

Json toJson(const HeldOutMeasure& measure, const HeadShape& heads)
{
    Json byHead = Json::array();
    for (int layer = 0; layer < heads.layers; ++layer) {
        const auto begin = measure.headDensity.begin() + std::ptrdiff_t{layer} * heads.heads;
        byHead.push_back(std::vector<double>(begin, begin + heads.heads));
    }
    return {{"loss", numberOrNull(measure.crossEntropy)},
            {"density", measure.density},
            {"density_by_layer", layerDensity(measure, heads)},
            {"density_by_head", std::move(byHead)},
            {"heads", measure.heads},
            {"heads_ever_active", measure.headsEverActive},
            {"mean_heads_active", measure.meanHeadsActive},
            {"most_heads_active", measure.mostHeadsActive}};
}

Json toJson(const TextReport& text, const PairReport& report)
{
    const PairMeasure& both = text.measure;
    return {{"first_token", text.firstToken},
            {"length", text.length},
            {"passages", text.passages},
            {"kl", numberOrNull(both.sparse.divergence)},
            {"top1_agreement", numberOrNull(both.sparse.groups.front().agreement)},
            {"dense", toJson(both.dense, report.models[0].heads)},
            {"sparse", toJson(both.sparse, report.models[1].heads)}};
}

Json toJson(const TaskScore& score)
{
    return {{"accuracy", numberOrNull(score.accuracy)},
            {"top1", numberOrNull(score.top)},
            {"logit_difference", numberOrNull(score.logitDifference)}};
}

Json toJson(const CircuitReport& circuits)
{
    Json json = {{"factor", numberOrNull(circuits.factor())}};
    for (std::size_t model = 0; model < 2; ++model)
        json[kReportSides[model]] = {{"mean", numberOrNull(circuits.mean(model))},
                                     {"smallest", circuits.sizes[model]}};
    return json;
}

Json toJson(const TaskReport& task)
{
    if (!task.problem.empty())
        return {{"task", wordOf(task.task)}, {"left_out", task.problem}};
    return {{"task", wordOf(task.task)},
            {"first_token", task.firstToken},
            {"prompts", task.prompts},
            {"dense", toJson(task.scores[0])},
            {"sparse", toJson(task.scores[1])},
            {"circuit_pairs", task.pairs},
            {"circuit_heads", toJson(task.heads)},
            {"circuit_edges", toJson(task.edges)}};
}

Json toJson(const MovedHeads& moved)
{
    Json heads = Json::array();
    for (const MovedHead& each : moved.heads)
        heads.push_back({{"name", toString(each.head)}, {"total_variation", numberOrNull(each.distance)}});
    return {{"passages", moved.passages}, {"length", moved.length}, {"heads", std::move(heads)}};
}

MovedHeads movedFrom(const JsonReader& reader, const HeadShape& heads)
{
    MovedHeads moved;
    moved.passages = reader["passages"].integer(0, kMostCount, 0);
    moved.length = reader["length"].integer(0, kMostCount, 0);
    if (const JsonReader list = reader["heads"])
        for (const JsonReader& each : list.items()) {
            const Result<HeadId> head = parseHead(each["name"].text());
            if (!head || !heads.contains(*head))
                each.bad("names a head that the models do not have");
            moved.heads.push_back({*head, each["total_variation"].numberOrNaN()});
        }
    return moved;
}

ReportModel modelFrom(const JsonReader& reader)
{
    ReportModel model;
    model.name = reader["model"].text();
    model.heads.layers = reader["layers"].integer(1, 1 << 16);
    model.heads.heads = reader["heads"].integer(1, 1 << 16);
    model.heads.kvHeads = model.heads.heads;
    if (const JsonReader bias = reader["gate_bias"])
        model.gateBias = bias.number();
    return model;
}

HeldOutMeasure reportedFrom(const JsonReader& reader, const HeadShape& heads)
{
    HeldOutMeasure measure;
    measure.crossEntropy = reader["loss"].numberOrNaN();
    measure.density = reader["density"].number();
    for (const JsonReader& layer : reader["density_by_head"].items(static_cast<std::size_t>(heads.layers)))
        for (const JsonReader& head : layer.items(static_cast<std::size_t>(heads.heads)))
            measure.headDensity.push_back(head.number());
    measure.heads = reader["heads"].integer(1, kMostCount);
    measure.headsEverActive = reader["heads_ever_active"].integer(0, kMostCount);
    measure.meanHeadsActive = reader["mean_heads_active"].number();
    measure.mostHeadsActive = reader["most_heads_active"].integer(0, kMostCount);
    return measure;
}

TextReport textFrom(const JsonReader& reader, const PairReport& report)
{
    TextReport text;
    text.firstToken = reader["first_token"].text();
    text.length = reader["length"].integer(1, kMostCount);
    text.passages = reader["passages"].integer(1, kMostCount);
    text.measure.dense = reportedFrom(reader["dense"], report.models[0].heads);
    text.measure.sparse = reportedFrom(reader["sparse"], report.models[1].heads);
    text.measure.sparse.divergence = reader["kl"].numberOrNaN();
    text.measure.dense.groups.resize(1);
    text.measure.sparse.groups.resize(1);
    text.measure.sparse.groups[0].agreement = reader["top1_agreement"].numberOrNaN();
    return text;
}

std::vector<int> countsFrom(const JsonReader& list)
{
    std::vector<int> counts;
    for (const JsonReader& item : list.items())
        counts.push_back(item.integer(0, kMostCount));
    return counts;
}

TaskReport taskFrom(const JsonReader& reader)
{
    TaskReport task;
    task.task = reader["task"].word<text::PairTask>();
    task.problem = reader["left_out"].text("");
    if (!task.problem.empty())
        return task;
    task.firstToken = reader["first_token"].text();
    task.prompts = reader["prompts"].integer(0, kMostCount);
    task.pairs = countsFrom(reader["circuit_pairs"]);
    for (std::size_t model = 0; model < 2; ++model) {
        const JsonReader score = reader[kReportSides[model]];
        task.scores[model] = {score["accuracy"].numberOrNaN(), score["top1"].numberOrNaN(),
                              score["logit_difference"].numberOrNaN()};
        task.heads.sizes[model] = countsFrom(reader["circuit_heads"][kReportSides[model]]["smallest"]);
        task.edges.sizes[model] = countsFrom(reader["circuit_edges"][kReportSides[model]]["smallest"]);
    }
    return task;
}

}  // namespace

double CircuitReport::mean(std::size_t model) const
{
    const std::vector<int>& own = sizes[model];
    return own.empty() ? NAN : std::accumulate(own.begin(), own.end(), 0.0) / static_cast<double>(own.size());
}

double CircuitReport::factor() const
{
    return mean(1) > 0 ? mean(0) / mean(1) : NAN;
}

std::vector<const TextReport*> PairReport::judged() const
{
    std::vector<const TextReport*> found;
    for (const TextReport& text : texts) {
        const bool isOther = found.empty() || found.back()->firstToken != text.firstToken;
        if (isOther)
            found.push_back(&text);
        else if (text.length <= kJudgedLength && text.length > found.back()->length)
            found.back() = &text;
    }
    return found;
}

std::vector<double> layerDensity(const HeldOutMeasure& measure, const HeadShape& heads)
{
    std::vector<double> density;
    for (int layer = 0; layer < heads.layers; ++layer) {
        const auto begin = measure.headDensity.begin() + std::ptrdiff_t{layer} * heads.heads;
        density.push_back(std::accumulate(begin, begin + heads.heads, 0.0) / heads.heads);
    }
    return density;
}

Json toJson(const PairReport& report)
{
    Json texts = Json::array();
    for (const TextReport& text : report.texts)
        texts.push_back(toJson(text, report));
    Json tasks = Json::array();
    for (const TaskReport& task : report.tasks)
        tasks.push_back(toJson(task));
    Json seconds = Json::array();
    for (const auto& [part, took] : report.seconds)
        seconds.push_back({{"part", part}, {"seconds", took}});
    return {{"report", kReportVersion},
            {"dense", toJson(report.models[0])},
            {"sparse", toJson(report.models[1])},
            {"text", {{"source", report.source}, {"tokens", report.tokens}}},
            {"passages", std::move(texts)},
            {"moved", toJson(report.moved)},
            {"tasks", std::move(tasks)},
            {"level", report.level},
            {"ranking", wordOf(report.ranking)},
            {"seconds", std::move(seconds)}};
}

PairReport pairReportFrom(const Json& json, const std::string& source)
{
    const JsonReader reader(json, source, "give a file that headscope compare --report wrote");
    if (reader["report"].json() != kReportVersion)
        reader.bad("was written by another version");
    PairReport report;
    for (std::size_t model = 0; model < 2; ++model)
        report.models[model] = modelFrom(reader[kReportSides[model]]);
    report.source = reader["text"]["source"].text();
    report.tokens = reader["text"]["tokens"].integer(0, kMostCount);
    for (const JsonReader& text : reader["passages"].items())
        report.texts.push_back(textFrom(text, report));
    report.moved = movedFrom(reader["moved"], report.models[0].heads);
    for (const JsonReader& task : reader["tasks"].items())
        report.tasks.push_back(taskFrom(task));
    report.level = reader["level"].number(0, 1);
    report.ranking = reader["ranking"].word<analyses::CircuitRanking>();
    for (const JsonReader& part : reader["seconds"].items())
        report.seconds.emplace_back(part["part"].text(), part["seconds"].number());
    return report;
}

}  // namespace hs::train
