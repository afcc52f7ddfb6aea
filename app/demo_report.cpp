#include "demo_report.h"

#include "base/failure.h"
#include "base/text_format.h"
#include "messages.h"
#include "output.h"
#include "text_table.h"
#include "train/model_measure.h"
#include "train/task_batches.h"
#include "training_data.h"
#include "workspace.h"

#include <cstdio>

namespace hs {
namespace {

constexpr int kPromptsEach = 512;

/// Where several words are right, their probability counts.
std::vector<bool> scoredByProbability(const BatchSource& data)
{
    std::vector<bool> isProbability(data.groups().size());
    for (const HeldOutBatch& held : data.heldOut())
        for (const Answer& answer : held.answers)
            if (answer.first != answer.last)
                isProbability[static_cast<std::size_t>(
                    held.batch.groups[static_cast<std::size_t>(answer.row)])] = true;
    return isProbability;
}

std::string cell(const char* format, double value)
{
    char text[32];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

std::string percent(double share)
{
    return cell("%.3f %%", 100 * share);
}

template <class Show>
std::vector<std::string> each(const std::vector<DemoFigures>& figures, Show&& show)
{
    std::vector<std::string> values;
    for (const DemoFigures& figure : figures)
        values.push_back(show(figure.measure));
    return values;
}

}  // namespace

std::vector<DemoFigures> measureDemoPair(const std::string& device)
{
    const std::stop_token interrupt = interruptToken();
    TaskBatchOptions options;
    options.heldOutPerTask = kPromptsEach;
    const TaskBatches data(options);
    const std::vector<bool> isProbability = scoredByProbability(data);
    std::vector<DemoFigures> figures;
    std::shared_ptr<const Model> dense;
    for (const char* const where : {"demo:dense", "demo:sparse"}) {
        const Workspace workspace = openWorkspace({where, device, "f32"});
        requireTaskWords(workspace.tokenizer.get(), where);
        ProgressLine progress(where);
        figures.push_back(
            {where,
             orThrow(measureModel(*workspace.model, dense.get(), data, {progress.callback(), interrupt})),
             isProbability, kPromptsEach});
        if (!dense)
            dense = workspace.model;
    }
    return figures;
}

std::string demoTable(const std::vector<DemoFigures>& figures)
{
    TextTable table;
    std::vector<std::string> names;
    for (const DemoFigures& figure : figures)
        names.push_back(figure.model);
    table.add(formatCount(figures.front().prompts) + " held-out prompts of each task", names);
    const std::vector<GroupMeasure>& tasks = figures.front().measure.groups;
    for (std::size_t task = 0; task < tasks.size(); ++task)
        table.add(tasks[task].name +
                      (figures.front().isProbability[task] ? ", probability of right answers" : ", accuracy"),
                  each(figures, [&](const HeldOutMeasure& m) { return percent(m.groups[task].score); }));
    table.add("loss, nats a token",
              each(figures, [](const HeldOutMeasure& m) { return cell("%.4f", m.crossEntropy); }));
    table.add("KL to the dense model, nats a token",
              each(figures, [](const HeldOutMeasure& m) { return cell("%.4f", m.divergence); }));
    table.add("active edges", each(figures, [](const HeldOutMeasure& m) { return percent(m.density); }));
    table.add("heads", each(figures, [](const HeldOutMeasure& m) { return std::to_string(m.heads); }));
    table.add("heads ever active",
              each(figures, [](const HeldOutMeasure& m) { return std::to_string(m.headsEverActive); }));
    table.add("heads active on one prompt, most",
              each(figures, [](const HeldOutMeasure& m) { return std::to_string(m.mostHeadsActive); }));
    table.add("heads active on one prompt, mean",
              each(figures, [](const HeldOutMeasure& m) { return cell("%.1f", m.meanHeadsActive); }));
    return table.text();
}

Json toJson(const std::vector<DemoFigures>& figures)
{
    Json models = Json::array();
    for (const DemoFigures& figure : figures) {
        Json tasks = Json::array();
        for (std::size_t task = 0; task < figure.measure.groups.size(); ++task) {
            const GroupMeasure& group = figure.measure.groups[task];
            tasks.push_back({{"task", group.name},
                             {"score", numberOrNull(group.score)},
                             {"scored_by", figure.isProbability[task] ? "probability" : "accuracy"},
                             {"loss", group.crossEntropy},
                             {"kl", group.divergence},
                             {"answers", group.answers}});
        }
        models.push_back({{"model", figure.model},
                          {"tasks", std::move(tasks)},
                          {"loss", figure.measure.crossEntropy},
                          {"kl", figure.measure.divergence},
                          {"density", figure.measure.density},
                          {"heads", figure.measure.heads},
                          {"heads_ever_active", figure.measure.headsEverActive},
                          {"most_heads_active", figure.measure.mostHeadsActive},
                          {"mean_heads_active", figure.measure.meanHeadsActive}});
    }
    return {{"prompts_each", figures.front().prompts}, {"models", std::move(models)}};
}

}  // namespace hs
