#pragma once

#include "analyses/circuit_units.h"

#include <functional>
#include <map>
#include <span>
#include <vector>

namespace hs::analyses {

/// The metric, unless it is no number: then throws Failure.
double finiteMetric(double metric);

/// The runs behind one circuit, on one engine. The request has been checked.
class CircuitSearch {
public:
    CircuitSearch(engine::Engine& engine, const CircuitRequest& request, const Hooks& hooks,
                  const CircuitNews& news);

    Circuit find();  // throws Failure

private:
    using Effect = double CircuitUnit::*;
    using Ranks = std::vector<int>;
    using SetNews = std::function<void(const std::vector<double>& effects)>;  // NaN: not known yet

    void runBoth();
    void explain();
    double keepOutputs(engine::RunRequest run, std::shared_ptr<const engine::HeadOutputs>& outputs);
    /// Where an effect is measured, and what is put into it.
    const engine::RunRequest& runOf(Effect effect) const
    {
        return effect == &CircuitUnit::effect ? m_corrupted : m_clean;
    }
    const std::shared_ptr<const engine::HeadOutputs>& sourceOf(Effect effect) const
    {
        return effect == &CircuitUnit::effect ? m_runs.clean : m_runs.corrupted;
    }

    void rankUnits();
    Ranks unknownUnits() const;
    void estimate(Effect effect);
    void measure(Effect effect, Ranks which, const std::function<void(const Ranks& known)>& tell);
    void sortUnits(const Ranks& measured);
    bool isOfPaths() const { return m_request.units == CircuitUnits::Paths; }
    engine::PathRequest pathRequest(Effect effect, std::span<const int> which) const;
    void estimatePaths(Effect effect);
    void measurePaths(Effect effect, std::span<const int> which, const engine::VariantNews& news);
    void checkEstimates(const Ranks& ranked);
    void tellRanking(const Ranks& known);

    Ranks firstCounts() const;
    void traceCurve();
    void addPoints(const Ranks& counts);
    Ranks spareUnits(const Ranks& kept);
    void refine();
    std::vector<double> explainedBy(const std::vector<Ranks>& kept, const SetNews& tell = {});
    std::vector<double> metricsOf(const engine::RunRequest& run, std::vector<engine::Ablations> variants,
                                  const engine::VariantNews& news = {});
    engine::Ablations patch(const CircuitUnit& unit,
                            const std::shared_ptr<const engine::HeadOutputs>& source) const;
    engine::Ablations allBut(const Ranks& kept) const;
    bool reaches(double effect) const;
    void expect(std::size_t runs) { m_total += static_cast<int>(runs); }
    void tell() const;

    engine::Engine& m_engine;
    const CircuitRequest& m_request;
    const Hooks& m_hooks;
    const CircuitNews& m_news;
    Effect m_asked;
    engine::RunRequest m_clean;
    engine::RunRequest m_corrupted;
    CircuitRuns m_runs;
    int m_firstDifference = 0;           // the first position at which the runs may differ
    engine::Ablations m_allPatched;      // takes every head that has units from the corrupted run
    std::map<HeadId, int> m_cellCounts;  // units of each head from the first difference on
    int m_measured = 0;                  // how many units, the first ones, have measured effects
    Circuit m_circuit;
    std::map<int, double> m_points;  // of the curve
    int m_done = 0;
    int m_total = 0;
};

}  // namespace hs::analyses
