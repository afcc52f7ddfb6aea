#include "train/trainer.h"

#include "base/failure.h"
#include "base/text_format.h"
#include "engine/device/device_tensors.h"
#include "train/adapter_writer_tensors.h"
#include "train/advice.h"
#include "train/checkpoint_writer_tensors.h"
#include "train/job_check.h"
#include "train/make_trainable_tensors.h"
#include "train/measure_tensors.h"
#include "train/model_card.h"
#include "train/model_writer_tensors.h"
#include "train/output_folder.h"
#include "train/parameters_tensors.h"
#include "train/silent_heads_tensors.h"
#include "train/strain.h"
#include "train/training_state_tensors.h"
#include "train/trial.h"
#include "train/workers/workers_tensors.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <future>
#include <iterator>

namespace hs::train {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kReportEvery = 50;  // steps
constexpr int kJudgedRows = 16;            // that decide which heads are missed least
constexpr double kReserveShare = 0.03;     // of the time limit, for steps that turn out slower

std::string recipeOf(const Job& job)
{
    Json recipe = {{"options", toJson(job.options)},
                   {"economy", toJson(job.economy)},
                   {"config", job.config},
                   {"start", job.startRecipe},
                   {"data", job.dataRecipe},
                   {"computed_in", model::name(job.computedIn)},
                   {"fused", job.isFused}};
    if (job.limit)
        recipe["minutes"] = job.limit->minutes;
    return recipe.dump();
}

std::string readAll(const fs::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// Weights that diverged stay so: neither a checkpoint nor other options bring them back.
void requireNumber(double loss, std::int64_t step)
{
    if (!std::isfinite(loss))
        fail(ErrorCode::Internal, "The loss is no longer a number at step " + std::to_string(step) +
                                      "; start again with a lower --rate or a longer --warm-up, in another "
                                      "--out.");
}

class Training {
public:
    Training(const Job& job, const CurveListener& listener, std::stop_token stop)
        : m_job(job), m_listener(listener), m_stop(std::move(stop)), m_options(job.options),
          m_device(engine::torchDevice(job.device)), m_ownStream(m_device),
          m_trainable(makeTrainable(job.spec, job.start ? &job.start->weights() : nullptr, job.economy)),
          m_workers(*job.workers), m_recipe(recipeOf(job)),
          m_out(job.out, job.resumes, /*onlyReads=*/!m_workers.isFirst()), m_checkpoints(m_out, m_recipe),
          m_groups(job.data->groups()), m_heldOut(job.data->heldOut())
    {
        m_clock.costs().checkpointEvery = job.checkpointSeconds;
        m_clock.costs().roundSteps = job.data->stepsPerRound();
        prepareState();
        requireSameState();
        if (job.distils)
            prepareTeacher();
        if (job.options.sparsity && job.options.sparsity->silentHeads > 0 && !job.resumes)
            silenceHeads(job.options.sparsity->silentHeads);
        fitTo(m_state.steps);
        m_step.emplace(StepSetup{m_job.spec, m_options, *m_trainable, engine::torchType(job.computedIn),
                                 job.distils ? &m_teacher : nullptr, static_cast<int>(m_groups.size()),
                                 operations(), job.economy.recomputes, job.workers},
                       m_state.vectors);
    }

    Outcome run()
    {
        checkpoint();  // shows a full or read-only disk before hours of work
        m_checkpoints.wait();
        m_lastWrite = secondsNow() - m_lastCheckpoint;
        try {
            makeSteps();
        } catch (const WorkerLost&) {
            if (m_isBetweenSteps)
                checkpoint();
            m_checkpoints.wait();
            throw;
        }
        Outcome outcome = finish();
        outcome.seconds = secondsNow() - m_begun;
        return outcome;
    }

private:
    void makeSteps()
    {
        std::future<Batch> next = fetch(m_state.step);
        if (m_state.step == 0)
            keepOnTheWay();
        m_clock.restart();
        while (!isDone() && !m_workers.any(m_stop.stop_requested())) {
            m_checkpoints.check();
            const Batch batch = next.get();
            if (m_state.step + 1 != m_state.steps)
                next = fetch(m_state.step + 1);
            makeStep(batch);
            if (m_trial && m_trial->countStep(m_clock))
                m_tokens = 0;
            const bool endsTrial = m_trial && m_workers.any(m_trial->isOver());
            const bool isLook = endsTrial || isDone() || m_state.step % m_options.measureEvery == 0;
            if (isLook || m_state.step % kReportEvery == 0)
                report(isLook, endsTrial);
            if (isCheckpointDue())
                checkpoint();
            m_isBetweenSteps = true;
            keepOnTheWay();
        }
        if (next.valid())
            next.wait();
    }

    Operations operations() const { return m_job.isFused ? Operations::Fused : Operations::Plain; }
    bool isDone() const { return !m_trial && m_state.step >= m_state.steps; }

    /// Takes the options for a run of so many steps; 0: of a length that is not decided yet.
    void fitTo(std::int64_t steps)
    {
        m_trial.reset();
        if (steps == 0)
            m_trial.emplace(m_job.limit->minutes);
        if (m_job.limit)
            m_options = fitted(m_job.options, m_job.limit->given, m_trial ? Trial::kSteps : steps);
        m_state.steps = steps;
        if (const auto& sparsity = m_options.sparsity)
            m_price.emplace(*sparsity, m_state.price);
    }

    std::future<Batch> fetch(std::int64_t step)
    {
        const double start = secondsNow();
        m_job.data->prepare(step);
        const RunCosts& costs = m_clock.costs();
        if (costs.roundSteps > 0 && (step % costs.roundSteps == 0 || costs.round == 0))
            m_clock.addApart(&RunCosts::round, secondsNow() - start);
        return std::async(std::launch::async, [data = m_job.data, step] { return data->training(step); });
    }

    void prepareState()
    {
        if (m_job.resumes) {
            m_state =
                loadState(m_out.stateFile(), m_recipe, m_trainable->size(), m_job.economy.states, m_device);
            if (!m_job.limit)
                m_state.steps = m_job.options.steps;
            m_curve = curveUpTo(readAll(m_out.curveFile()), m_state.step);
            if (m_curve.empty())
                m_curve = curveHeader(m_groups);
            return;
        }
        m_curve = curveHeader(m_groups);
        m_state.steps = m_job.limit ? 0 : m_job.options.steps;
        m_state.vectors = startingVectors(m_trainable->start(m_job.options.seed).to(m_device),
                                          engine::torchType(m_job.economy.states));
        if (const auto& sparsity = m_job.options.sparsity)
            m_state.price = PriceControl(*sparsity).state();
    }

    /// Workers whose weights or batches differ would part further from step to step.
    void requireSameState() const
    {
        const c10::NoGradGuard fixed;
        std::size_t hash = std::hash<std::string>()(m_recipe) + static_cast<std::size_t>(m_state.step) +
                           std::hash<double>()(m_state.price.price) + m_seen;
        const TrainingVectors& vectors = m_state.vectors;
        for (const at::Tensor& vector : {vectors.weights, vectors.mean, vectors.deviation, vectors.average})
            hash = hash * 31 +
                   static_cast<std::size_t>(vector.view(at::kInt).sum(at::kLong).item<std::int64_t>());
        if (!m_workers.isSame(static_cast<std::int64_t>(hash)))
            fail(ErrorCode::BadRequest,
                 m_workers.isFirst()
                     ? "The workers do not train the same model at step " + std::to_string(m_state.step) +
                           "; start all of them with the same command, program and files."
                     : "");
    }

    void prepareTeacher()
    {
        m_teacher = converted(m_job.start->weights(), engine::torchType(m_job.computedIn));
        m_denseMeasure = measureHeldOut({m_job.spec, m_job.start->weights(), std::nullopt}, nullptr,
                                        m_heldOut, m_groups, operations(), {{}, m_stop}, m_workers);
    }

    void silenceHeads(int count)
    {
        const std::vector<HeldOutBatch> rows = someRows(m_heldOut, kJudgedRows);
        const MeasuredModel dense{m_job.spec, m_teacher, std::nullopt};
        const at::Tensor weights = m_state.vectors.weights.to(engine::torchType(m_job.computedIn),
                                                              /*non_blocking=*/false, /*copy=*/true);
        const auto divergence = [&] {
            const RunWeights own(*m_trainable, weights);
            return measureHeldOut({m_job.spec, own, m_job.spec.gateBias}, &dense, rows, m_groups,
                                  operations(), {}, m_workers)
                .divergence;
        };
        silenceLeastMissed(m_job.spec, *m_trainable, weights, count, divergence, {{}, m_stop});
        const std::vector<HeadId> silent = silentHeads(m_job.spec, *m_trainable, weights);
        silence(*m_trainable, m_state.vectors.weights, silent);
        silence(*m_trainable, m_state.vectors.average, silent);
    }

    void makeStep(const Batch& batch)
    {
        const double price = m_price ? m_price->price() : 0;
        const StepReport report = m_step->run(batch, m_state.step, price);
        m_isBetweenSteps = false;
        requireNumber(report.loss, m_state.step + 1);
        if (m_price) {
            std::vector<double> strains = report.excess;
            for (double& strain : strains)
                strain /= m_options.sparsity->tolerance;
            m_price->step(strains);
            m_state.price = m_price->state();
        }
        ++m_state.step;
        ++m_sinceReport;
        m_clock.countStep();
        m_sums.loss += report.loss;
        m_sums.crossEntropy += meanOf(report.crossEntropy);
        m_sums.excess += meanOf(report.excess);
        m_sums.expectedDensity += report.expectedDensity;
        m_sums.density += report.density;
        m_sums.gradientNorm += report.gradientNorm;
        m_excessSinceLook += meanOf(report.excess);
        ++m_sinceLook;
        for (const std::int32_t length : batch.lengths)
            m_tokens += length;
        for (const std::int64_t token : batch.tokens)
            m_seen = m_seen * 31 + static_cast<std::size_t>(token);
    }

    /// Decides how many steps the run has, now that the costs of its parts are known.
    std::string decideSteps()
    {
        RunCosts& costs = m_clock.costs();
        costs.end = m_lastWrite + 3 * costs.look;  // the model, and a measurement at each length
        const double limit = 60 * m_job.limit->minutes;
        const double left = limit * (1 - kReserveShare) - m_job.limit->spent - (secondsNow() - m_begun);
        fitTo(ofFirst(stepsWithin(left, m_job.options, m_job.limit->given, m_state.step, costs)));
        m_lastCheckpoint = -INFINITY;  // what was decided is saved at once
        return "There is time for " + formatCount(m_state.steps) + " steps of " +
               shortNumber(1e3 * costs.step) + " ms, with a look of " + shortNumber(costs.look) +
               " s at the held-out part every " + formatCount(m_options.measureEvery) + ".";
    }

    /// The first worker's number, where each has measured its own.
    std::int64_t ofFirst(std::int64_t number) const
    {
        const at::Tensor agreed =
            at::full({1}, m_workers.isFirst() ? number : 0, at::TensorOptions(at::kLong).device(m_device));
        m_workers.sum(agreed);
        return agreed.item<std::int64_t>();
    }

    void report(bool isLook, bool endsTrial)
    {
        const auto count = static_cast<double>(std::max<std::int64_t>(1, m_sinceReport));
        CurvePoint point;
        point.step = m_state.step;
        point.loss = m_sums.loss / count;
        point.crossEntropy = m_sums.crossEntropy / count;
        point.excess = m_sums.excess / count;
        point.expectedDensity = m_sums.expectedDensity / count;
        point.density = m_sums.density / count;
        point.gradientNorm = m_sums.gradientNorm / count;
        point.price = m_state.price.price;
        point.rate = rateAt(m_options, m_state.step - 1);
        const double seconds = m_clock.endSpan();
        point.tokensPerSecond = static_cast<double>(m_tokens) / std::max(seconds, 1e-9);
        if (isLook)
            look(point);
        if (endsTrial)
            point.notes.push_back(decideSteps());
        point.steps = m_state.steps;
        point.secondsLeft = m_trial ? NAN : secondsLeft(m_options, m_state.step, m_clock.costs());
        m_curve += curveLine(point);
        m_sums = {};
        m_sinceReport = 0;
        m_tokens = 0;
        if (m_listener)
            m_listener(point);
        m_clock.restart();
    }

    HeldOutMeasure measureAverage()
    {
        requireSameState();
        const RunClock::Part part(m_clock, &RunCosts::look);
        std::optional<MeasuredModel> dense;
        if (m_job.distils)
            dense.emplace(MeasuredModel{m_job.spec, m_job.start->weights(), std::nullopt});
        const RunWeights averaged(*m_trainable, m_state.vectors.average);
        const HeldOutMeasure measure =
            measureHeldOut({m_job.spec, averaged, m_job.spec.gateBias}, dense ? &*dense : nullptr, m_heldOut,
                           m_groups, operations(), {}, m_workers);
        requireNumber(measure.crossEntropy, m_state.step);
        return measure;
    }

    /// Measures the averaged weights, updates the price, and keeps them if they are the best.
    void look(CurvePoint& point)
    {
        const HeldOutMeasure measure = measureAverage();
        const auto& sparsity = m_options.sparsity;
        const double strain = sparsity ? strainOf(*sparsity, measure, *m_denseMeasure) : 0;
        if (m_price) {
            m_price->measured(strain);
            m_state.price = m_price->state();
            const double training =
                m_excessSinceLook / static_cast<double>(std::max<std::int64_t>(1, m_sinceLook));
            point.notes = m_advice.after({m_state.step, measure.density, strain, training,
                                          meanOf(excessOf(*sparsity, measure, *m_denseMeasure)),
                                          m_price->price() <= m_price->leastPrice()});
        }
        m_excessSinceLook = 0;
        m_sinceLook = 0;
        const bool isBetter =
            !m_state.best || (m_price ? measure.density < m_state.best->measure.density
                                      : measure.crossEntropy < m_state.best->measure.crossEntropy);
        if (strain <= 1 && isBetter)
            m_state.best = BestWeights{ownAverage(), m_state.step, measure};
        point.heldOut = measure;
    }

    /// A copy for the one who writes it.
    at::Tensor ownAverage() const
    {
        return m_workers.isFirst() ? m_state.vectors.average.to(at::kCPU, at::kFloat, false, /*copy=*/true)
                                   : at::Tensor();
    }

    bool isCheckpointDue() const
    {
        return isDone() || m_job.checkpointSeconds == 0 ||
               (secondsNow() - m_lastCheckpoint > m_job.checkpointSeconds && !m_checkpoints.isBusy());
    }

    void checkpoint()
    {
        const RunClock::Part part(m_clock, &RunCosts::checkpoint);
        m_lastCheckpoint = secondsNow();
        if (!m_workers.isFirst())
            return;
        m_checkpoints.write(m_state, m_curve);
        if (m_job.checkpointSeconds == 0)
            m_checkpoints.wait();
    }

    /// The averaged weights as a model of their own, where it is time for one.
    void keepOnTheWay()
    {
        if (m_job.keepEvery == 0 || m_state.step % m_job.keepEvery != 0 || !m_workers.isFirst())
            return;
        const RunClock::Part part(m_clock, &RunCosts::checkpoint);
        write(m_job.out / ("step" + std::to_string(m_state.step)), ownAverage());
    }

    Outcome finish()
    {
        Outcome outcome;
        outcome.steps = m_state.step;
        outcome.planned = m_state.steps;
        outcome.wasStopped = !isDone();
        outcome.dense = m_denseMeasure;
        if (outcome.wasStopped)
            checkpoint();
        m_checkpoints.wait();
        if (outcome.wasStopped && !m_state.best)
            return outcome;
        outcome.meetsConstraint = m_state.best.has_value();
        if (!m_state.best)  // the last rather than nothing; the outcome says so
            m_state.best = BestWeights{ownAverage(), m_state.step, measureAverage()};
        outcome.step = m_state.best->step;
        outcome.measure = m_state.best->measure;
        if (!m_workers.isFirst())
            return outcome;
        if (m_options.sparsity && !outcome.wasStopped)
            outcome.lengths = lengthsOf(m_state.best->weights);
        if (m_options.sparsity)  // before the model, which is complete when its weights are there
            writeModelCard(m_job, m_options, outcome);
        write(m_job.out, m_state.best->weights);
        if (!outcome.wasStopped)
            fs::remove(m_out.stateFile());
        return outcome;
    }

    std::vector<LengthMeasure> lengthsOf(const at::Tensor& vector) const
    {
        const RunWeights weights(*m_trainable, vector.to(m_device));
        return measureByLength({m_job.spec, weights, m_job.spec.gateBias},
                               {m_job.spec, m_job.start->weights(), std::nullopt}, *m_job.data, operations());
    }

    void write(const fs::path& folder, const at::Tensor& vector) const
    {
        fs::create_directories(folder);
        const ModelPapers papers{m_job.config, m_job.tokenizerFolder, m_job.tokenizerJson};
        const auto* const adapter = dynamic_cast<const LoraAdapter*>(m_trainable.get());
        if (adapter && m_job.economy.writesAdapter)
            writeAdapter(folder, m_job.spec, *adapter, vector, m_job.base, papers);
        else
            writeModel(folder, m_job.spec, m_trainable->unpack(adapter ? vector.to(m_device) : vector),
                       m_job.writtenAs, papers);
    }

    const Job& m_job;
    const CurveListener& m_listener;
    std::stop_token m_stop;
    double m_begun = secondsNow();
    Options m_options;  // the job's, for the number of steps that was decided
    at::Device m_device;
    OwnStream m_ownStream;
    std::unique_ptr<const Trainable> m_trainable;
    const Workers& m_workers;
    std::string m_recipe;
    OutputFolder m_out;
    CheckpointWriter m_checkpoints;
    std::vector<std::string> m_groups;
    std::vector<HeldOutBatch> m_heldOut;
    TrainingState m_state;
    engine::ModelWeights m_teacher;  // the dense model in the type of the computation
    std::optional<HeldOutMeasure> m_denseMeasure;
    std::optional<PriceControl> m_price;
    std::optional<TrainingStep> m_step;
    Advice m_advice;

    std::optional<Trial> m_trial;  // until the number of steps is decided
    std::string m_curve;           // the CSV
    CurvePoint m_sums;             // since the last report
    std::int64_t m_sinceReport = 0;
    std::int64_t m_tokens = 0;
    double m_excessSinceLook = 0;
    std::int64_t m_sinceLook = 0;
    RunClock m_clock;
    double m_lastCheckpoint = 0;   // seconds
    double m_lastWrite = 0;        // seconds that a whole checkpoint took
    bool m_isBetweenSteps = true;  // false: the state is not one that a training may go on from
    std::size_t m_seen = 0;        // a hash of all batches in this run
};

/// Of a lost worker the first one tells, if it lives.
std::string describeLoss(const Job& job)
{
    if (!job.workers->isFirst())
        return job.workers->reachesFirst()
                   ? ""
                   : "The first worker was lost; the same command with --resume goes on "
                     "from its last checkpoint, with any number of workers.";
    return fs::exists(OutputFolder(job.out, job.resumes, /*onlyReads=*/true).stateFile())
               ? "A worker was lost; the training is saved in " + job.out.string() +
                     ", and the same command with --resume goes on, with any number of workers."
               : "A worker was lost before the first step; look for what it said, and start all of them "
                 "again.";
}

}  // namespace

Result<Outcome> train(const Job& job, const CurveListener& listener, std::stop_token stop)
{
    return guarded([&] {
        checkJob(job);
        try {
            return Training(job, listener, std::move(stop)).run();
        } catch (const WorkerLost& lost) {
            fail(ErrorCode::Internal, describeLoss(job), lost.what());
        }
    });
}

}  // namespace hs::train
