#include "train/trainer.h"

#include "base/atomic_file.h"
#include "base/failure.h"
#include "engine/device/device_tensors.h"
#include "train/measure_tensors.h"
#include "train/model_writer_tensors.h"
#include "train/output_folder.h"
#include "train/training_memory.h"
#include "train/training_state_tensors.h"
#include "train/workers/workers_tensors.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <future>
#include <iterator>

namespace hs::train {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t kReportEvery = 50;  // steps

double secondsSince(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

double meanOf(const std::vector<double>& values)
{
    double sum = 0;
    int count = 0;
    for (const double value : values)
        if (!std::isnan(value)) {
            sum += value;
            ++count;
        }
    return count > 0 ? sum / count : 0;
}

std::string recipeOf(const Job& job)
{
    return Json{{"options", toJson(job.options)},
                {"config", job.config},
                {"start", job.startRecipe},
                {"data", job.dataRecipe},
                {"computed_in", model::name(job.computedIn)},
                {"fused", job.isFused}}
        .dump();
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
        : m_job(job), m_listener(listener), m_stop(std::move(stop)),
          m_device(engine::torchDevice(job.device)), m_ownStream(m_device), m_layout(job.spec),
          m_workers(*job.workers), m_recipe(recipeOf(job)),
          m_out(job.out, job.resumes, /*onlyReads=*/!m_workers.isFirst()), m_groups(job.data->groups()),
          m_heldOut(job.data->heldOut())
    {
        prepareState();
        requireSameState();
        if (job.distils)
            prepareTeacher();
        if (const auto& sparsity = job.options.sparsity)
            m_price.emplace(*sparsity, m_state.price);
        m_step.emplace(m_job.spec, m_job.options, engine::torchType(job.computedIn),
                       static_cast<int>(m_groups.size()), m_state.vectors, m_teacherVector, operations(),
                       job.workers);
    }

    Outcome run()
    {
        const auto start = Clock::now();
        checkpoint();  // shows a full or read-only disk before hours of work
        try {
            makeSteps();
        } catch (const WorkerLost&) {
            if (m_isBetweenSteps)
                checkpoint();
            throw;
        }
        Outcome outcome = finish();
        outcome.seconds = secondsSince(start);
        return outcome;
    }

private:
    void makeSteps()
    {
        m_lastReport = Clock::now();
        std::future<Batch> next = fetch(m_state.step);
        while (m_state.step < m_job.options.steps && !m_workers.any(m_stop.stop_requested())) {
            const Batch batch = next.get();
            next = fetch(m_state.step + 1);
            makeStep(batch);
            const bool isLast = m_state.step == m_job.options.steps;
            const bool isLook = isLast || m_state.step % m_job.options.measureEvery == 0;
            if (isLook || m_state.step % kReportEvery == 0)
                report(isLook);
            if (isLast || secondsSince(m_lastCheckpoint) > m_job.checkpointSeconds)
                checkpoint();
            m_isBetweenSteps = true;
        }
        next.wait();
    }

    Operations operations() const { return m_job.isFused ? Operations::Fused : Operations::Plain; }

    std::future<Batch> fetch(std::int64_t step) const
    {
        return std::async(std::launch::async, [data = m_job.data, step] { return data->training(step); });
    }

    void prepareState()
    {
        if (m_job.resumes) {
            m_state = loadState(m_out.stateFile(), m_recipe, m_layout.size(), m_device);
            m_curve = curveUpTo(readAll(m_out.curveFile()), m_state.step);
            if (m_curve.empty())
                m_curve = curveHeader(m_groups);
            return;
        }
        m_curve = curveHeader(m_groups);
        m_state.vectors.weights = m_job.start ? m_layout.pack(m_job.start->weights()).clone()
                                              : m_layout.initial(m_job.options.seed).to(m_device);
        m_state.vectors.mean = at::zeros_like(m_state.vectors.weights);
        m_state.vectors.variance = at::zeros_like(m_state.vectors.weights);
        m_state.vectors.average = m_state.vectors.weights.clone();
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
        for (const at::Tensor& vector : {vectors.weights, vectors.mean, vectors.variance, vectors.average})
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
        const at::Tensor vector = m_layout.pack(m_job.start->weights());
        m_dense = m_layout.unpack(vector);
        m_teacherVector = vector.to(engine::torchType(m_job.computedIn));
        m_denseMeasure = measureHeldOut({m_job.spec, m_dense, std::nullopt}, nullptr, m_heldOut, m_groups,
                                        operations(), {{}, m_stop}, m_workers);
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
                strain /= m_job.options.sparsity->tolerance;
            m_price->step(strains);
            m_state.price = m_price->state();
        }
        ++m_state.step;
        ++m_sinceReport;
        m_sums.loss += report.loss;
        m_sums.crossEntropy += meanOf(report.crossEntropy);
        m_sums.excess += meanOf(report.excess);
        m_sums.expectedDensity += report.expectedDensity;
        m_sums.density += report.density;
        m_sums.gradientNorm += report.gradientNorm;
        for (const std::int32_t length : batch.lengths)
            m_tokens += length;
        for (const std::int64_t token : batch.tokens)
            m_seen = m_seen * 31 + static_cast<std::size_t>(token);
    }

    void report(bool isLook)
    {
        const double seconds = secondsSince(m_lastReport);
        const auto count = static_cast<double>(std::max<std::int64_t>(1, m_sinceReport));
        CurvePoint point;
        point.step = m_state.step;
        point.steps = m_job.options.steps;
        point.loss = m_sums.loss / count;
        point.crossEntropy = m_sums.crossEntropy / count;
        point.excess = m_sums.excess / count;
        point.expectedDensity = m_sums.expectedDensity / count;
        point.density = m_sums.density / count;
        point.gradientNorm = m_sums.gradientNorm / count;
        point.price = m_state.price.price;
        point.rate = rateAt(m_job.options, m_state.step - 1);
        point.tokensPerSecond = static_cast<double>(m_tokens) / std::max(seconds, 1e-9);
        point.secondsLeft = seconds / count * static_cast<double>(m_job.options.steps - m_state.step);
        if (isLook)
            point.heldOut = look();
        m_curve += curveLine(point);
        m_sums = {};
        m_sinceReport = 0;
        m_tokens = 0;
        m_lastReport = Clock::now();
        if (m_listener)
            m_listener(point);
    }

    /// Measures the averaged weights, updates the price, and keeps them if they are the best.
    HeldOutMeasure look()
    {
        requireSameState();
        const engine::ModelWeights averaged = m_layout.unpack(m_state.vectors.average);
        const MeasuredModel dense{m_job.spec, m_dense, std::nullopt};
        const HeldOutMeasure measure =
            measureHeldOut({m_job.spec, averaged, m_job.spec.gateBias}, m_job.distils ? &dense : nullptr,
                           m_heldOut, m_groups, operations(), {}, m_workers);
        requireNumber(measure.crossEntropy, m_state.step);
        const double strain = strainOf(measure);
        if (m_price) {
            m_price->measured(strain);
            m_state.price = m_price->state();
        }
        const bool isBetter =
            !m_state.best || (m_price ? measure.density < m_state.best->measure.density
                                      : measure.crossEntropy < m_state.best->measure.crossEntropy);
        if (strain <= 1 && isBetter)
            m_state.best = BestWeights{ownAverage(), m_state.step, measure};
        return measure;
    }

    /// A copy for the one who writes it.
    at::Tensor ownAverage() const
    {
        return m_workers.isFirst() ? m_state.vectors.average.to(at::kCPU, at::kFloat, false, /*copy=*/true)
                                   : at::Tensor();
    }

    /// How close the held-out part is to the tolerance; 1 is the limit.
    double strainOf(const HeldOutMeasure& measure) const
    {
        if (!m_price)
            return 0;
        const SparsityOptions& sparsity = *m_job.options.sparsity;
        std::vector<double> strains;
        double worstScore = 0;
        for (std::size_t group = 0; group < measure.groups.size(); ++group) {
            const GroupMeasure& now = measure.groups[group];
            const GroupMeasure& dense = m_denseMeasure->groups[group];
            const double excess =
                sparsity.divergenceWeight > 0 ? now.divergence : now.crossEntropy - dense.crossEntropy;
            strains.push_back(excess / sparsity.tolerance);
            if (now.answers > 0)
                worstScore = std::max(worstScore, (dense.score - now.score) / sparsity.scoreTolerance);
        }
        return std::max(joined(sparsity, strains), worstScore);
    }

    void checkpoint()
    {
        m_lastCheckpoint = Clock::now();
        if (!m_workers.isFirst())
            return;
        // The curve first: if it is ahead of the state, its end is cut off and nothing is lost.
        if (m_state.step > 0)
            writeFile(m_out.curveFile(), m_curve);
        saveState(m_out.stateFile(), m_state, m_recipe);
        m_lastCheckpoint = Clock::now();
    }

    Outcome finish()
    {
        Outcome outcome;
        outcome.steps = m_state.step;
        outcome.wasStopped = m_state.step < m_job.options.steps;
        outcome.dense = m_denseMeasure;
        if (outcome.wasStopped) {
            checkpoint();
            if (!m_state.best)
                return outcome;
        }
        outcome.meetsConstraint = m_state.best.has_value();
        if (!m_state.best)  // the last rather than nothing; the outcome says so
            m_state.best = BestWeights{ownAverage(), m_state.step, look()};
        outcome.step = m_state.best->step;
        outcome.measure = m_state.best->measure;
        if (!m_workers.isFirst())
            return outcome;
        writeModel(m_job.out, m_job.spec, m_layout.unpack(m_state.best->weights), m_job.writtenAs,
                   {m_job.config, m_job.tokenizerFolder, m_job.tokenizerJson});
        if (!outcome.wasStopped)
            fs::remove(m_out.stateFile());
        return outcome;
    }

    const Job& m_job;
    const CurveListener& m_listener;
    std::stop_token m_stop;
    at::Device m_device;
    OwnStream m_ownStream;
    ParameterLayout m_layout;
    const Workers& m_workers;
    std::string m_recipe;
    OutputFolder m_out;
    std::vector<std::string> m_groups;
    std::vector<HeldOutBatch> m_heldOut;
    TrainingState m_state;
    engine::ModelWeights m_dense;  // in float, for measurements
    at::Tensor m_teacherVector;    // in the type of the computation
    std::optional<HeldOutMeasure> m_denseMeasure;
    std::optional<PriceControl> m_price;
    std::optional<TrainingStep> m_step;

    std::string m_curve;           // the CSV
    CurvePoint m_sums;             // since the last report
    bool m_isBetweenSteps = true;  // false: the state is not one that a training may go on from
    std::int64_t m_sinceReport = 0;
    std::int64_t m_tokens = 0;
    std::size_t m_seen = 0;  // a hash of all batches in this run
    Clock::time_point m_lastReport;
    Clock::time_point m_lastCheckpoint;
};

void check(const Job& job)
{
    if (job.options.steps < 1)
        fail(ErrorCode::BadRequest, "A training needs at least one step; raise --steps.");
    if (job.options.sparsity && !job.distils)
        fail(ErrorCode::BadRequest, "Only a dense model that is there can be made sparse; give --model.");
    if (!job.device.isCuda() && job.computedIn != model::DType::F32)
        fail(ErrorCode::BadRequest, "On the processor trainings run in float32; leave out --dtype.");
    if (job.start)
        requireOneDevice(*job.start);
    const Batch first = job.data->training(0);
    const int rows = job.workers->shareOf(first.rows).count;
    requireTrainingMemory(job.spec, {std::int64_t{rows} * first.length, job.distils, job.computedIn},
                          job.device);
}

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
        check(job);
        try {
            return Training(job, listener, std::move(stop)).run();
        } catch (const WorkerLost& lost) {
            fail(ErrorCode::Internal, describeLoss(job), lost.what());
        }
    });
}

}  // namespace hs::train
