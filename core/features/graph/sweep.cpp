#include "features/graph/sweep_tensors.h"

#include <algorithm>

namespace hs::features {
namespace {

/// Cotangents of the readings that have joined so far.
class Wave {
public:
    Wave(const HeldRun& run, const Readings& readings) : m_readings(readings)
    {
        for (const Spot& spot : readings.spots)
            m_reach = std::max<std::int64_t>(m_reach, spot.position + 1);
        m_all = at::zeros({readings.size(), m_reach, run.embedding.size(1)}, run.embedding.options());
    }

    std::int64_t reach() const { return m_reach; }
    bool isEmpty() const { return m_joined == 0; }
    at::Tensor now() const { return m_all.narrow(0, 0, m_joined); }

    /// Adds the readings at a depth, which are the next.
    void join(const Spot& where)
    {
        for (; m_joined < m_readings.size(); ++m_joined) {
            const Spot& spot = m_readings.spots[static_cast<std::size_t>(m_joined)];
            if (spot.depth() != where.depth())
                break;
            m_all[m_joined][spot.position].add_(m_readings.directions[m_joined]);
        }
    }

private:
    const Readings& m_readings;
    std::int64_t m_reach = 1;
    std::int64_t m_joined = 0;
    at::Tensor m_all;  // [reading, query, width]
};

}  // namespace

void sweepBack(const HeldRun& run, const Readings& readings, Paths paths, CotangentVisitor& visitor)
{
    const bool isParallel = run.spec().hasParallelResidual;
    Wave wave(run, readings);
    wave.join({run.spec().layers, 0, false});
    for (int number = run.spec().layers - 1; number >= 0; --number) {
        const HeldLayer layer = run.layers[static_cast<std::size_t>(number)].upTo(wave.reach());
        at::Tensor throughMlp;  // what comes back by the skip path
        if (!wave.isEmpty()) {
            visitor.atOutput(number, wave.now());
            if (layer.skip.defined())
                throughMlp = layer.carryBackSkip(wave.now());
            if (throughMlp.defined() && !isParallel)
                wave.now().add_(throughMlp);
        }
        wave.join({number, 0, true});
        at::Tensor throughHeads;
        if (!wave.isEmpty()) {
            visitor.afterAttention(number, wave.now());
            if (paths == Paths::All)
                throughHeads = layer.carryBackThroughHeads(wave.now());
            if (throughMlp.defined() && isParallel)
                wave.now().add_(throughMlp);
        }
        wave.join({number, 0, false});
        if (wave.isEmpty())
            continue;
        visitor.pastHeads(number, wave.now());
        if (throughHeads.defined())
            wave.now().narrow(0, 0, throughHeads.size(0)).add_(throughHeads);
        visitor.entering(number, wave.now());
    }
}

Carried carryForward(const HeldRun& run, const Entries& entries, Paths paths)
{
    const bool isParallel = run.spec().hasParallelResidual;
    Carried carried;
    carried.entering.push_back(entries.embedding);
    for (std::size_t number = 0; number < run.layers.size(); ++number) {
        const HeldLayer& layer = run.layers[number];
        const at::Tensor before = carried.entering.back();
        at::Tensor middle = before + entries.attention[number];
        if (paths == Paths::All)
            middle = middle + layer.carryThroughHeads(before);
        at::Tensor after = middle + entries.output[number];
        if (layer.skip.defined())
            after = after + layer.carrySkip(isParallel ? before : middle);
        carried.afterAttention.push_back(std::move(middle));
        carried.entering.push_back(std::move(after));
    }
    return carried;
}

}  // namespace hs::features
