#include "app/report/pair_reports.h"

#include "app/report/moved_heads.h"
#include "app/report/task_reports.h"
#include "app/report/text_reports.h"
#include "app/support/messages.h"
#include "base/failure.h"
#include "base/timing.h"
#include "model/adapter/adapter_files.h"

namespace hs::app {
namespace {

void checkReport(const ReportOptions& options)
{
    const bool hasAdapter = !options.run.adapters.empty() || model::isAdapter(options.dense.model) ||
                            model::isAdapter(options.sparse.model);
    if (hasAdapter)
        fail(ErrorCode::BadRequest,
             "A report is about whole models and reads no adapter; merge it in Python with "
             "peft's merge_and_unload(), or compare without --report.");
    if (!options.run.ablate.empty())
        fail(ErrorCode::BadRequest,
             "A report is about whole models; leave out --ablate, or compare without --report.");
}

train::ReportModel reported(const ReportedModel& model)
{
    return {model.name(), model.workspace.model->spec().headShape(),
            model.gate ? std::optional(model.gate->bias) : std::nullopt};
}

}  // namespace

train::PairReport measureReport(const ReportOptions& options)
{
    static_cast<void>(interruptToken());  // before threads start, which inherit the mask
    checkReport(options);
    Laps laps;
    train::PairReport report;
    const auto tellTime = [&](const char* part) { report.seconds.emplace_back(part, laps.next() / 1e3); };
    ReportModels models(options);
    if (!options.tasks.empty() && !models.tokenizer())
        fail(ErrorCode::NotFound, "Neither model's folder has a tokenizer, which the tasks need; put their "
                                  "tokenizer.json there, or give --tasks none.");
    report.models = {reported(models[0]), reported(models[1])};
    tellTime("loading");
    const ReportText text = reportText(models, options);
    report.source = text.source;
    report.tokens = static_cast<std::int64_t>(text.text.tokens.size());
    if (!report.models[1].gateBias)
        say(report.models[1].name +
            " has no gate, so that all of its edges count; run it with one by --gate score.");
    tellTime("text");
    report.texts = measureText(models, text.text, options);
    tellTime("passages");
    report.moved = measureMoved(models, text.text, report);
    tellTime("patterns");
    report.level = options.level;
    report.ranking = options.ranking;
    TaskReporter reporter(models, options);
    for (const text::PairTask task : options.tasks)
        report.tasks.push_back(reporter.report(task));
    if (!options.tasks.empty()) {
        report.seconds.emplace_back("prompts", reporter.promptSeconds());
        report.seconds.emplace_back("circuits", reporter.circuitSeconds());
    }
    return report;
}

}  // namespace hs::app
