#include "analyses/sweep.h"

namespace hs::analyses {
namespace {

/// How many units the heads of a layer make.
int perLayer(SweepUnits kind, const HeadShape& shape)
{
    switch (kind) {
    case SweepUnits::Heads:
    case SweepUnits::HeadsAndMlps: break;
    case SweepUnits::Groups: return shape.kvHeads;
    case SweepUnits::Layers: return 1;
    }
    return shape.heads;
}

}  // namespace

std::vector<SweepUnit> unitsOf(SweepUnits kind, const HeadShape& shape)
{
    std::vector<SweepUnit> units;
    for (int layer = 0; layer < shape.layers; ++layer) {
        for (int index = 0; index < perLayer(kind, shape); ++index)
            units.push_back({layer, index});
        if (kind == SweepUnits::HeadsAndMlps)
            units.push_back({layer, HeadId::kMlp});
    }
    return units;
}

std::vector<HeadId> headsOf(const SweepUnit& unit, SweepUnits kind, const HeadShape& shape)
{
    if (unit.index == HeadId::kMlp)
        return {HeadId::mlpOf(unit.layer)};
    const int count = shape.heads / perLayer(kind, shape);
    std::vector<HeadId> heads;
    for (int head = 0; head < count; ++head)
        heads.push_back({unit.layer, unit.index * count + head});
    return heads;
}

}  // namespace hs::analyses
