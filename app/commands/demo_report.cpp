#include "app/commands/demo_report.h"

#include "app/support/messages.h"
#include "app/support/output.h"
#include "app/support/text_table.h"
#include "app/support/workspace.h"
#include "app/training/training_data.h"
#include "base/failure.h"
#include "base/text_format.h"
#include "train/model_measure.h"
#include "train/task_batches.h"

#include <cstdio>

namespace hs::app {
namespace {

constexpr int kPromptsEach = 512;

/// [task] Where several words are right, their probability is the score.
std::vector<bool> scoredByProbability(const train::BatchSource& data)
{
    std::vector<bool> isProbability(data.groups().size());
    for (const train::HeldOutBatch& held : data.heldOut())
        for (const train::Answer& answer : held.answers)
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

std::string measuredPercent(double share)
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
    train::TaskBatchOptions options;
    options.heldOutPerTask = kPromptsEach;
    const train::TaskBatches data(options);
    const std::vector<bool> isProbability = scoredByProbability(data);
    std::vector<DemoFigures> figures;
    std::shared_ptr<const engine::Model> dense;
    for (const char* const where : {"demo:dense", "demo:sparse"}) {
        const engine::Workspace workspace = openWorkspace({where, device, "f32"});
        requireTaskWords(workspace.tokenizer.get(), where);
        ProgressLine progress(where);
        figures.push_back({where,
                           orThrow(train::measureModel(*workspace.model, dense.get(), data,
                                                       {progress.callback(), interrupt})),
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
    const std::vector<train::GroupMeasure>& tasks = figures.front().measure.groups;
    for (std::size_t task = 0; task < tasks.size(); ++task)
        table.add(tasks[task].name +
                      (figures.front().isProbability[task] ? ", probability of right answers" : ", accuracy"),
                  each(figures, [&](const train::HeldOutMeasure& m) {
                      return measuredPercent(m.groups[task].score);
                  }));
    table.add("loss, nats a token",
              each(figures, [](const train::HeldOutMeasure& m) { return cell("%.4f", m.crossEntropy); }));
    table.add("KL to the dense model, nats a token",
              each(figures, [](const train::HeldOutMeasure& m) { return cell("%.4f", m.divergence); }));
    table.add("active edges",
              each(figures, [](const train::HeldOutMeasure& m) { return measuredPercent(m.density); }));
    table.add("heads", each(figures, [](const train::HeldOutMeasure& m) { return std::to_string(m.heads); }));
    table.add("heads ever active", each(figures, [](const train::HeldOutMeasure& m) {
                  return std::to_string(m.headsEverActive);
              }));
    table.add("heads active on one prompt, most", each(figures, [](const train::HeldOutMeasure& m) {
                  return std::to_string(m.mostHeadsActive);
              }));
    table.add("heads active on one prompt, mean",
              each(figures, [](const train::HeldOutMeasure& m) { return cell("%.1f", m.meanHeadsActive); }));
    return table.text();
}

Json toJson(const std::vector<DemoFigures>& figures)
{
    Json models = Json::array();
    for (const DemoFigures& figure : figures) {
        Json tasks = Json::array();
        for (std::size_t task = 0; task < figure.measure.groups.size(); ++task) {
            const train::GroupMeasure& group = figure.measure.groups[task];
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

}  // namespace hs::app
