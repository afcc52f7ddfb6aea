#pragma once

#include "base/enum_words.h"
#include "engine/request/run_request.h"

#include <optional>

namespace hs::engine {

/// Which gate a user wants, chosen before the model is known.
struct GateChoice {
    enum class Kind {
        Auto,   // the model's own gate, if it has one
        Off,    // every cell counts
        Score,  // the score gate, on any model
    };
    Kind kind = Kind::Auto;
    std::optional<double> bias;  // of the gate that is on; none: the model's own, or 0

    friend bool operator==(const GateChoice&, const GateChoice&) = default;
};

constexpr auto enumWords(GateChoice::Kind)
{
    using Kind = GateChoice::Kind;
    return std::to_array<EnumWord<Kind>>(
        {{Kind::Auto, "own"}, {Kind::Auto, "auto"}, {Kind::Off, "off"}, {Kind::Score, "score"}});
}

/// The gate that a choice means for a model whose own gate has this bias (ArchSpec::gateBias). Throws
/// Failure if the bias is not finite.
std::optional<ScoreGate> chooseGate(const GateChoice& choice, std::optional<double> ownBias);

}  // namespace hs::engine
