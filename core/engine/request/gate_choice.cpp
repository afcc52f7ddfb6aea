#include "engine/request/gate_choice.h"

#include "base/failure.h"

#include <cmath>

namespace hs::engine {

std::optional<ScoreGate> chooseGate(const GateChoice& choice, std::optional<double> ownBias)
{
    if (choice.bias && !std::isfinite(*choice.bias))
        fail(ErrorCode::BadRequest, "The gate's bias is not a finite number; give one such as 0.5, or none.");
    const bool isOn =
        choice.kind == GateChoice::Kind::Score || (choice.kind == GateChoice::Kind::Auto && ownBias);
    if (!isOn)
        return std::nullopt;
    return ScoreGate{choice.bias.value_or(ownBias.value_or(0))};
}

}  // namespace hs::engine
