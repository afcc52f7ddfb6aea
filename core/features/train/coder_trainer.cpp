#include "features/train/coder_trainer.h"

#include "base/failure.h"
#include "base/text_format.h"
#include "engine/device/device_tensors.h"
#include "features/coders/coder_writer.h"
#include "features/train/coder_card.h"
#include "features/train/coder_measure_tensors.h"
#include "features/train/coder_step_tensors.h"
#include "train/checkpoint_writer_tensors.h"
#include "train/curve.h"
#include "train/recorder_tensors.h"
#include "train/training_memory.h"
#include "train/trial.h"

#include <cmath>
#include <fstream>
#include <iterator>

namespace hs::features {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kCoderReportEvery = 25;  // steps
constexpr double kCoderReserve = 0.03;          // of the time limit, for steps that turn out slower

std::string recipeOfCoders(const CoderJob& job)
{
    Json recipe = {{"coders", toJson(job.coders)},
                   {"options", train::toJson(job.options)},
                   {"model", job.modelRecipe},
                   {"data", job.dataRecipe},
                   {"computed_in", model::name(job.model->facts().dtype)},
                   {"fused", job.isFused}};
    if (job.limit)
        recipe["minutes"] = job.limit->minutes;
    return recipe.dump();
}

class CoderTraining {
public:
    CoderTraining(const CoderJob& job, const CoderListener& listener, std::stop_token stop)
        : m_job(job), m_listener(listener), m_stop(std::move(stop)), m_options(job.options),
          m_device(engine::torchDevice(job.device)), m_ownStream(m_device),
          m_parameters(job.model->spec().layers, job.model->spec().hidden, job.coders),
          m_recipe(recipeOfCoders(job)), m_out(job.out, job.resumes), m_checkpoints(m_out, m_recipe),
          m_groups(job.data->groups()), m_heldOut(job.data->heldOut()),
          m_model{job.model->spec(), job.model->weights(), job.model->spec().gateBias},
          m_reader(m_model, static_cast<int>(m_groups.size()), operations())
    {
        m_clock.costs().checkpointEvery = job.checkpointSeconds;
        m_clock.costs().roundSteps = job.data->stepsPerRound();
        prepareState();
        fitTo(m_state.steps);
        m_step.emplace(m_parameters, job.coders, m_state.vectors, m_state.record);
    }

    CoderOutcome run()
    {
        checkpoint();  // shows a full or read-only disk before hours of work
        m_checkpoints.wait();
        m_lastWrite = secondsNow() - m_lastCheckpoint;
        m_clock.restart();
        while (!isDone() && !m_stop.stop_requested()) {
            m_checkpoints.check();
            if (!read(m_state.step))
                break;
            makeStep();
            const bool endsTrial = m_trial && m_trial->isOver();
            const bool isLook = endsTrial || isDone() || m_state.step % m_options.measureEvery == 0;
            if (isLook || m_state.step % kCoderReportEvery == 0)
                report(isLook, endsTrial);
            if (isCheckpointDue())
                checkpoint();
        }
        CoderOutcome outcome = finish();
        outcome.seconds = secondsNow() - m_begun;
        return outcome;
    }

private:
    train::Operations operations() const
    {
        return m_job.isFused ? train::Operations::Fused : train::Operations::Plain;
    }
    bool isDone() const { return !m_trial && m_state.step >= m_state.steps; }

    /// Takes the options for a run of so many steps; 0: of a length that is not decided yet.
    void fitTo(std::int64_t steps)
    {
        m_trial.reset();
        if (steps == 0)
            m_trial.emplace(m_job.limit->minutes);
        if (m_job.limit)
            m_options =
                train::fitted(m_job.options, m_job.limit->given, m_trial ? train::Trial::kSteps : steps);
        m_state.steps = steps;
    }

    /// The streams of a step's batch; false if stopped before its rows were there.
    bool read(std::int64_t step)
    {
        const double start = secondsNow();
        m_job.data->prepare(step);
        const train::RunCosts& costs = m_clock.costs();
        if (costs.roundSteps > 0 && (step % costs.roundSteps == 0 || costs.round == 0))
            m_clock.addApart(&train::RunCosts::round, secondsNow() - start);
        if (m_stop.stop_requested())
            return false;
        m_streams = m_reader.read(m_job.data->training(step));
        return true;
    }

    void prepareState()
    {
        const std::int64_t recordSize = CoderRecord::sizeFor(m_parameters);
        if (m_job.resumes) {
            m_state = train::loadState(m_out.stateFile(), m_recipe, m_parameters.size(), model::DType::F32,
                                       m_device, recordSize);
            if (!m_job.limit)
                m_state.steps = m_job.options.steps;
            std::ifstream curve(m_out.curveFile(), std::ios::binary);
            m_curve = train::curveUpTo(std::string(std::istreambuf_iterator<char>(curve), {}), m_state.step);
        } else {
            m_state.steps = m_job.limit ? 0 : m_job.options.steps;
            m_state.record = at::zeros({recordSize}, at::TensorOptions(at::kFloat).device(m_device));
        }
        if (m_curve.empty())
            m_curve = coderCurveHeader(m_parameters.layers());
        // For the scales, or the thresholds of a last look.
        if (!read(std::max<std::int64_t>(0, m_state.step - 1)))
            Hooks{{}, m_stop}.throwIfCancelled();
        if (m_job.resumes)
            return;
        const CoderRecord record(m_parameters, m_state.record);
        record.begin(m_streams);
        const at::Tensor weights =
            m_parameters.start(m_job.options.seed, scaledMeans(m_streams, record).to(at::kCPU));
        m_state.vectors = train::startingVectors(weights.to(m_device), at::kFloat);
    }

    void makeStep()
    {
        m_measure.reset();
        m_step->run(m_streams, m_options, m_state.step);
        ++m_state.step;
        m_clock.countStep();
        m_tokens += m_streams.inputs.front().size(0);
        if (m_trial && m_trial->countStep(m_clock))
            m_tokens = 0;
    }

    /// Decides how many steps the run has, now that the costs of its parts are known.
    std::string decideSteps()
    {
        train::RunCosts& costs = m_clock.costs();
        costs.end = m_lastWrite;
        const double limit = 60 * m_job.limit->minutes;
        const double left = limit * (1 - kCoderReserve) - m_job.limit->spent - (secondsNow() - m_begun);
        fitTo(train::stepsWithin(left, m_job.options, m_job.limit->given, m_state.step, costs));
        m_lastCheckpoint = -INFINITY;  // what was decided is saved at once
        return "There is time for " + formatCount(m_state.steps) + " steps of " +
               shortNumber(1e3 * costs.step) + " ms, with a look of " + shortNumber(costs.look) +
               " s at the held-out part every " + formatCount(m_options.measureEvery) + ".";
    }

    void report(bool isLook, bool endsTrial)
    {
        CoderPoint point;
        point.step = m_state.step;
        const CoderStepMeans means = m_step->takeMeans();
        if (!std::isfinite(means.fvu))
            fail(ErrorCode::Internal, "The error is no longer a number at step " +
                                          std::to_string(m_state.step) +
                                          "; start again with a lower --rate, in another --out.");
        point.fvu = means.fvu;
        point.l0 = means.l0;
        point.gradientNorm = means.gradientNorm;
        point.dead = std::llround(CoderRecord(m_parameters, m_state.record).dead.item<float>());
        point.rate = train::rateAt(m_options, m_state.step - 1);
        const double seconds = m_clock.endSpan();
        point.tokensPerSecond = static_cast<double>(m_tokens) / std::max(seconds, 1e-9);
        if (isLook)
            point.heldOut = m_measure = measured(folded());
        if (endsTrial)
            point.notes.push_back(decideSteps());
        point.steps = m_state.steps;
        point.secondsLeft = m_trial ? NAN : train::secondsLeft(m_options, m_state.step, m_clock.costs());
        m_curve += coderCurveLine(point);
        m_tokens = 0;
        if (m_listener)
            m_listener(point);
        m_clock.restart();
    }

    FoldedCoders folded() const
    {
        return fold(m_parameters, m_job.coders, m_state.vectors.average,
                    CoderRecord(m_parameters, m_state.record), m_streams, engine::torchType(m_job.writtenAs));
    }

    CoderMeasure measured(const FoldedCoders& coders)
    {
        const train::RunClock::Part part(m_clock, &train::RunCosts::look);
        return measureCoders(coders, m_model, m_heldOut, m_groups, operations());
    }

    bool isCheckpointDue() const
    {
        return isDone() || m_job.checkpointSeconds == 0 ||
               (secondsNow() - m_lastCheckpoint > m_job.checkpointSeconds && !m_checkpoints.isBusy());
    }

    void checkpoint()
    {
        const train::RunClock::Part part(m_clock, &train::RunCosts::checkpoint);
        m_lastCheckpoint = secondsNow();
        m_checkpoints.write(m_state, m_curve);
        if (m_job.checkpointSeconds == 0)
            m_checkpoints.wait();
    }

    CoderOutcome finish()
    {
        CoderOutcome outcome;
        outcome.steps = m_state.step;
        outcome.planned = m_state.steps;
        outcome.tokens = m_state.step * m_streams.inputs.front().size(0);
        outcome.wasStopped = !isDone();
        if (outcome.wasStopped)
            checkpoint();
        m_checkpoints.wait();
        if (outcome.wasStopped)
            return outcome;
        FoldedCoders coders = folded();
        outcome.measure = m_measure ? *m_measure : measured(coders);
        write(coders, outcome);
        fs::remove(m_out.stateFile());
        return outcome;
    }

    void write(FoldedCoders& coders, const CoderOutcome& outcome) const
    {
        for (int layer = 0; layer < m_parameters.layers(); ++layer) {
            CoderLayer& weights = coders.layers[layer];
            for (at::Tensor* const tensor :
                 {&weights.encoder, &weights.encoderBias, &weights.threshold, &weights.decoderBias})
                if (tensor->defined())
                    *tensor = tensor->to(at::kCPU).contiguous();
            const at::Tensor& decoder = coders.decoders[layer];
            writeCoderLayer(
                m_job.out, coders.facts, layer, weights,
                (m_job.coders.crossesLayers ? decoder : decoder.squeeze(1)).to(at::kCPU).contiguous(),
                m_job.writtenAs);
        }
        const std::string name = m_job.model->facts().name;
        coders.facts.name = name;
        writeCoderReadme(m_job, outcome);
        writeCoderCard(m_job.out, coders.facts,
                       {name, outcome.measure.fvu, outcome.measure.l0, outcome.tokens});
    }

    const CoderJob& m_job;
    const CoderListener& m_listener;
    std::stop_token m_stop;
    double m_begun = secondsNow();
    train::Options m_options;  // the job's, for the number of steps that was decided
    at::Device m_device;
    train::OwnStream m_ownStream;
    engine::Tf32Scope m_products{true};
    CoderParameters m_parameters;
    std::string m_recipe;
    train::OutputFolder m_out;
    train::CheckpointWriter m_checkpoints;
    std::vector<std::string> m_groups;
    std::vector<train::HeldOutBatch> m_heldOut;
    train::MeasuredModel m_model;
    StreamReader m_reader;
    train::TrainingState m_state;
    std::optional<CoderStep> m_step;
    MlpStreams m_streams;                   // of the last batch
    std::optional<CoderMeasure> m_measure;  // of the weights as they are

    std::optional<train::Trial> m_trial;  // until the number of steps is decided
    std::string m_curve;                  // the CSV
    std::int64_t m_tokens = 0;            // since the last report
    train::RunClock m_clock;
    double m_lastCheckpoint = 0;  // seconds
    double m_lastWrite = 0;       // seconds that a whole checkpoint took
};

}  // namespace

std::int64_t coderParameterCount(const model::ArchSpec& spec, const CoderOptions& options)
{
    return CoderParameters(spec.layers, spec.hidden, options).size();
}

std::uint64_t coderBytes(const model::ArchSpec& spec, const CoderOptions& options)
{
    constexpr std::uint64_t kCopies =
        7;  // weights, average, two moments, the gradient, its parts, what is written
    return kCopies * sizeof(float) * static_cast<std::uint64_t>(coderParameterCount(spec, options));
}

void requireCoders(const engine::Model& model, const CoderOptions& options, engine::Device device)
{
    if (options.k < 1 || options.k > options.features)
        fail(ErrorCode::BadRequest, formatCount(options.k) + " of " + formatCount(options.features) +
                                        " features cannot fire; give a --target-l0 from 1 to the number of "
                                        "--features.");
    train::requireOneDevice(model);
    const auto available = engine::availableMemory(device);
    if (const std::uint64_t needed = coderBytes(model.spec(), options); available && needed > *available)
        fail(ErrorCode::TooLarge, "Training these transcoders takes " + formatBytes(needed) + " on " +
                                      toString(device) + ", where " + formatBytes(*available) +
                                      " are free; give fewer --features, or leave out --cross-layer.");
}

Result<CoderOutcome> trainCoders(const CoderJob& job, const CoderListener& listener, std::stop_token stop)
{
    return guarded([&] {
        if (!job.limit && job.options.steps < 1)
            fail(ErrorCode::BadRequest, "A training needs at least one step; raise --steps.");
        requireCoders(*job.model, job.coders, job.device);
        return CoderTraining(job, listener, std::move(stop)).run();
    });
}

}  // namespace hs::features
