#include "train/trainer.h"

#include "base/atomic_file.h"
#include "base/failure.h"
#include "engine/device/device_tensors.h"
#include "train/adapter_writer_tensors.h"
#include "train/measure_tensors.h"
#include "train/model_writer_tensors.h"
#include "train/output_folder.h"
#include "train/parameters_tensors.h"
#include "train/training_state_tensors.h"

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
                {"economy", toJson(job.economy)},
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

std::unique_ptr<Trainable> trainableOf(const Job& job)
{
    if (job.economy.adapter)
        return std::make_unique<LoraAdapter>(job.spec, job.start->weights(), *job.economy.adapter);
    return std::make_unique<ParameterLayout>(job.spec, job.start ? &job.start->weights() : nullptr);
}

class Training {
public:
    Training(const Job& job, const CurveListener& listener, std::stop_token stop)
        : m_job(job), m_listener(listener), m_stop(std::move(stop)),
          m_device(engine::torchDevice(job.device)), m_ownStream(m_device), m_trainable(trainableOf(job)),
          m_recipe(recipeOf(job)), m_out(job.out, job.resumes), m_groups(job.data->groups()),
          m_heldOut(job.data->heldOut())
    {
        prepareState();
        if (job.distils)
            prepareTeacher();
        if (const auto& sparsity = job.options.sparsity)
            m_price.emplace(*sparsity, m_state.price);
        m_step.emplace(StepSetup{m_job.spec, m_job.options, *m_trainable, engine::torchType(job.computedIn),
                                 job.distils ? &m_teacher : nullptr, static_cast<int>(m_groups.size()),
                                 operations(), job.economy.recomputes},
                       m_state.vectors);
    }

    Outcome run()
    {
        const auto start = Clock::now();
        checkpoint();  // shows a full or read-only disk before hours of work
        m_lastReport = Clock::now();
        std::future<Batch> next = fetch(m_state.step);
        while (m_state.step < m_job.options.steps && !m_stop.stop_requested()) {
            const Batch batch = next.get();
            next = fetch(m_state.step + 1);
            makeStep(batch);
            const bool isLast = m_state.step == m_job.options.steps;
            const bool isLook = isLast || m_state.step % m_job.options.measureEvery == 0;
            if (isLook || m_state.step % kReportEvery == 0)
                report(isLook);
            if (isLast || secondsSince(m_lastCheckpoint) > m_job.checkpointSeconds)
                checkpoint();
        }
        next.wait();
        Outcome outcome = finish();
        outcome.seconds = secondsSince(start);
        return outcome;
    }

private:
    Operations operations() const { return m_job.isFused ? Operations::Fused : Operations::Plain; }

    std::future<Batch> fetch(std::int64_t step) const
    {
        return std::async(std::launch::async, [data = m_job.data, step] { return data->training(step); });
    }

    void prepareState()
    {
        if (m_job.resumes) {
            m_state =
                loadState(m_out.stateFile(), m_recipe, m_trainable->size(), m_job.economy.states, m_device);
            m_curve = curveUpTo(readAll(m_out.curveFile()), m_state.step);
            if (m_curve.empty())
                m_curve = curveHeader(m_groups);
            return;
        }
        m_curve = curveHeader(m_groups);
        m_state.vectors = startingVectors(m_trainable->start(m_job.options.seed).to(m_device),
                                          engine::torchType(m_job.economy.states));
        if (const auto& sparsity = m_job.options.sparsity)
            m_state.price = PriceControl(*sparsity).state();
    }

    void prepareTeacher()
    {
        m_teacher = converted(m_job.start->weights(), engine::torchType(m_job.computedIn));
        m_denseMeasure = measureHeldOut({m_job.spec, m_job.start->weights(), std::nullopt}, nullptr,
                                        m_heldOut, m_groups, operations(), {{}, m_stop});
    }

    void makeStep(const Batch& batch)
    {
        const double price = m_price ? m_price->price() : 0;
        const StepReport report = m_step->run(batch, m_state.step, price);
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
        std::optional<MeasuredModel> dense;
        if (m_job.distils)
            dense.emplace(MeasuredModel{m_job.spec, m_job.start->weights(), std::nullopt});
        const RunWeights averaged(*m_trainable, m_state.vectors.average);
        const HeldOutMeasure measure =
            measureHeldOut({m_job.spec, averaged, m_job.spec.gateBias}, dense ? &*dense : nullptr, m_heldOut,
                           m_groups, operations(), {});
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
            m_state.best = BestWeights{m_state.vectors.average.to(at::kCPU).clone(), m_state.step, measure};
        return measure;
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
            m_state.best = BestWeights{m_state.vectors.average.to(at::kCPU), m_state.step, look()};
        outcome.step = m_state.best->step;
        outcome.measure = m_state.best->measure;
        write(m_state.best->weights);
        if (!outcome.wasStopped)
            fs::remove(m_out.stateFile());
        return outcome;
    }

    void write(const at::Tensor& vector) const
    {
        const ModelPapers papers{m_job.config, m_job.tokenizerFolder, m_job.tokenizerJson};
        const auto* const adapter = dynamic_cast<const LoraAdapter*>(m_trainable.get());
        if (adapter && m_job.economy.writesAdapter)
            writeAdapter(m_job.out, m_job.spec, *adapter, vector, m_job.base, papers);
        else
            writeModel(m_job.out, m_job.spec, m_trainable->unpack(adapter ? vector.to(m_device) : vector),
                       m_job.writtenAs, papers);
    }

    const Job& m_job;
    const CurveListener& m_listener;
    std::stop_token m_stop;
    at::Device m_device;
    OwnStream m_ownStream;
    std::unique_ptr<const Trainable> m_trainable;
    std::string m_recipe;
    OutputFolder m_out;
    std::vector<std::string> m_groups;
    std::vector<HeldOutBatch> m_heldOut;
    TrainingState m_state;
    engine::ModelWeights m_teacher;  // the dense model in the type of the computation
    std::optional<HeldOutMeasure> m_denseMeasure;
    std::optional<PriceControl> m_price;
    std::optional<TrainingStep> m_step;

    std::string m_curve;  // the CSV
    CurvePoint m_sums;    // since the last report
    std::int64_t m_sinceReport = 0;
    std::int64_t m_tokens = 0;
    Clock::time_point m_lastReport;
    Clock::time_point m_lastCheckpoint;
};

TrainingSize sizeOf(const Job& job)
{
    const Batch first = job.data->training(0);
    return {first.rows, first.length, job.distils, job.computedIn, job.isFused, job.economy};
}

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
    if (job.economy.adapter && !job.start)
        fail(ErrorCode::BadRequest, "An adapter changes a model that is there; leave out --lora.");
    requireTrainingMemory(job.spec, sizeOf(job), job.device);
}

}  // namespace

TrainingForecast forecast(const Job& job)
{
    return forecastTraining(job.spec, sizeOf(job));
}

Result<Outcome> train(const Job& job, const CurveListener& listener, std::stop_token stop)
{
    return guarded([&] {
        check(job);
        return Training(job, listener, std::move(stop)).run();
    });
}

}  // namespace hs::train
