#pragma once

#include "base/enum_words.h"
#include "engine/run/engine.h"

#include <functional>
#include <optional>
#include <vector>

namespace hs::analyses {

enum class SweepUnits { Heads, Groups, Layers, HeadsAndMlps };
enum class SweepMethod { Zero, Mean, Resample };

constexpr auto enumWords(SweepUnits)
{
    return std::to_array<EnumWord<SweepUnits>>({{SweepUnits::Heads, "heads"},
                                                {SweepUnits::Groups, "groups"},
                                                {SweepUnits::Layers, "layers"},
                                                {SweepUnits::HeadsAndMlps, "heads+mlps"}});
}
constexpr auto enumWords(SweepMethod)
{
    return std::to_array<EnumWord<SweepMethod>>(
        {{SweepMethod::Zero, "zero"}, {SweepMethod::Mean, "mean"}, {SweepMethod::Resample, "resample"}});
}

/// Asks what each head of a model (or key/value group, or layer, or each head and each MLP) does for one answer.
struct SweepRequest {
    engine::RunRequest run;
    std::int64_t target = 0;
    std::optional<std::int64_t> versus;
    SweepUnits units = SweepUnits::Heads;
    SweepMethod method = SweepMethod::Zero;
    std::vector<std::int64_t> source;  // for Resample: the prompt whose outputs take their place
    bool loss = true;                  // if not, NaN throughout; costs logits at every position
};

/// One thing that was ablated: a head, the heads of a group or a layer, or an MLP.
struct SweepUnit {
    int layer = 0;
    int index = 0;  // of the head or group in its layer; 0 for a layer, HeadId::kMlp for an MLP

    friend bool operator==(const SweepUnit&, const SweepUnit&) = default;
};

struct Sweep {
    HeadShape shape;
    SweepUnits kind = SweepUnits::Heads;
    SweepMethod method = SweepMethod::Zero;
    engine::VariantReading baseline;
    std::vector<SweepUnit> units;                 // in the model's order
    std::vector<engine::VariantReading> changes;  // [unit] ablated − baseline; all NaN: not known yet
};

/// Receives what is known so far after each portion of the units.
using SweepNews = std::function<void(const Sweep&)>;

/// Ablates each unit, many side by side; equal to separate runs up to rounding. Read at Capture::position.
Result<Sweep> sweep(engine::Engine& engine, const SweepRequest& request, const Hooks& hooks = {},
                    const SweepNews& news = {});

/// All units of a kind, in the model's order.
std::vector<SweepUnit> unitsOf(SweepUnits kind, const HeadShape& shape);

/// The heads that make up a unit, or its MLP.
std::vector<HeadId> headsOf(const SweepUnit& unit, SweepUnits kind, const HeadShape& shape);

}  // namespace hs::analyses
