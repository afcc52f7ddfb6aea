#include "app/training/training_run.h"

#include "app/support/messages.h"
#include "app/training/training_output.h"
#include "base/failure.h"
#include "base/text_format.h"
#include "base/timing.h"
#include "model/weight_plan.h"

namespace hs::app {
namespace {

std::string firstLine(const train::Job& job, const std::string& what, const std::string& data)
{
    const model::ArchSpec& spec = job.spec;
    return what + " (" + spec.modelType + ", " + std::to_string(spec.layers) + " layers of " +
           std::to_string(spec.heads) + " heads, " + formatCount(model::parameterCount(spec)) +
           " weights) on " + data + "; " +
           (job.limit ? shortNumber(job.limit->minutes) + (job.limit->minutes == 1 ? " minute" : " minutes")
                      : formatCount(job.options.steps) + " steps") +
           " in " + std::string(model::name(job.computedIn)) + " on " + engine::describe(job.device) + ".";
}

/// Of what all workers meet, one speaks.
[[noreturn]] void failOnce(ErrorCode code, const std::string& sentence)
{
    fail(code, saysOnlyErrors() ? "" : sentence);
}

}  // namespace

TrainingPlace joinTraining(const TrainingArguments& arguments)
{
    const train::WorkerPlace worker = orThrow(train::workerPlace(train::environmentVariables()));
    TrainingPlace place = trainingPlace(arguments.device, arguments.dtype);
    place.worker = worker;
    if (!worker.isFirst())
        sayOnlyErrors();
    if (worker.isAlone())
        return place;
    if (place.device.isCuda() && arguments.device.find(':') == std::string::npos) {
        const std::vector<engine::Device> all = orThrow(engine::chooseDevices("auto")).devices;
        place.device = all[worker.localRank % all.size()];
    }
    place.workers = orThrow(train::joinWorkers(worker, place.device));
    if (worker.count > 1)
        narrate("The " + formatCount(worker.count) + " workers have met at " + worker.address + ":" +
                std::to_string(worker.port) + ".");
    return place;
}

void fillJob(train::Job& job, const TrainingArguments& arguments, const TrainingPlan& plan,
             const TrainingData& data, const ChosenTokenizer& tokenizer, const TrainingPlace& place)
{
    job.data = data.source;
    job.dataRecipe = data.recipe;
    job.names.data = data.description;
    job.names.beginnings = data.beginnings;
    job.rows = plan.rows;
    job.length = plan.length;
    job.options = plan.options;
    if (arguments.minutes)
        job.limit = {*arguments.minutes, secondsNow() - arguments.startedAt, plan.pace};
    job.device = place.device;
    job.workers = place.workers;
    job.computedIn = place.computedIn;
    job.isFused = !arguments.isPlain;
    job.out = arguments.out;
    job.tokenizerFolder = tokenizer.folder;
    job.tokenizerJson = tokenizer.json;
    job.resumes = arguments.resumes;
    job.checkpointSeconds = arguments.checkpointSeconds;
    job.keepEvery = arguments.keepEvery;
}

void runTraining(const train::Job& job, const std::string& what, const std::string& data,
                 std::stop_token stop)
{
    if (const auto warning = engine::slowBlasWarning(); warning && !job.device.isCuda() && !saysOnlyErrors())
        say(*warning);
    narrate(firstLine(job, what, data));
    narrate(train::describeForecast(train::forecast(job), job.device));
    TrainingProgress progress;
    const train::Outcome outcome = orThrow(train::train(
        job, [&](const train::CurvePoint& point) { progress.show(point, job.options); }, std::move(stop)));
    progress.wipe();
    if (outcome.wasStopped)
        failOnce(ErrorCode::Cancelled,
                 "Stopped after step " + formatCount(outcome.steps) +
                     (outcome.planned > 0 ? " of " + formatCount(outcome.planned) : "") + " and saved in " +
                     job.out.string() + "; the same command with --resume goes on.");
    narrate(describeOutcome(outcome, job.out.string()));
    if (!outcome.meetsConstraint)
        failOnce(ErrorCode::BadRequest,
                 "Nothing met the constraint, so the last weights were written; raise --tolerance or "
                 "--score-tolerance, or give it more --steps.");
}

}  // namespace hs::app
