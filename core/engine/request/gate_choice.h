#pragma once

#include "base/enum_words.h"
#include "engine/request/run_request.h"

#include <optional>

namespace hs::engine {

/// Which gate a user wants, said before the model is known.
struct GateChoice {
    enum class Kind {
        Auto,   // as the model was made: its own gate, if it has one
        Off,    // every cell counts
        Score,  // the score gate, on any model
    };
    Kind kind = Kind::Auto;
    std::optional<double> bias;  // of whatever gate is on; none: the model's own, or 0

    friend bool operator==(const GateChoice&, const GateChoice&) = default;
};

constexpr auto enumWords(GateChoice::Kind)
{
    using Kind = GateChoice::Kind;
    return std::to_array<EnumWord<Kind>>(
        {{Kind::Auto, "own"}, {Kind::Auto, "auto"}, {Kind::Off, "off"}, {Kind::Score, "score"}});
}

/// The gate that a choice means on a model whose own has this bias (ArchSpec::gateBias). Throws Failure
/// where the bias is not finite.
std::optional<ScoreGate> chooseGate(const GateChoice& choice, std::optional<double> ownBias);

}  // namespace hs::engine
