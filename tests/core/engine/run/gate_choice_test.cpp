#include "engine/request/gate_choice.h"

#include "base/failure.h"
#include "support/catch.h"

#include <limits>

using namespace hs;

namespace {

using ChoiceKind = engine::GateChoice::Kind;
using Bias = std::optional<double>;

Bias biasOf(const engine::GateChoice& choice, Bias ownBias)
{
    const std::optional<engine::ScoreGate> gate = engine::chooseGate(choice, ownBias);
    return gate ? Bias(gate->bias) : std::nullopt;
}

}  // namespace

TEST_CASE("a choice of a gate means one thing on a model without a gate and one on a model with one")
{
    const Bias none;
    const Bias dense;
    const Bias sparse = 0.25;
    CHECK(biasOf({ChoiceKind::Auto, none}, dense) == none);
    CHECK(biasOf({ChoiceKind::Auto, 0.5}, dense) == none);
    CHECK(biasOf({ChoiceKind::Off, none}, dense) == none);
    CHECK(biasOf({ChoiceKind::Off, 0.5}, dense) == none);
    CHECK(biasOf({ChoiceKind::Score, none}, dense) == 0.0);
    CHECK(biasOf({ChoiceKind::Score, 0.5}, dense) == 0.5);
    CHECK(biasOf({ChoiceKind::Auto, none}, sparse) == 0.25);
    CHECK(biasOf({ChoiceKind::Auto, 0.5}, sparse) == 0.5);
    CHECK(biasOf({ChoiceKind::Off, none}, sparse) == none);
    CHECK(biasOf({ChoiceKind::Off, 0.5}, sparse) == none);
    CHECK(biasOf({ChoiceKind::Score, none}, sparse) == 0.25);
    CHECK(biasOf({ChoiceKind::Score, 0.5}, sparse) == 0.5);
}

TEST_CASE("a bias that is not finite is refused, whether it would be used or not")
{
    for (const ChoiceKind kind : {ChoiceKind::Auto, ChoiceKind::Off, ChoiceKind::Score})
        for (const double bias :
             {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
              -std::numeric_limits<double>::infinity()})
            CHECK_THROWS_AS(engine::chooseGate({kind, bias}, 0.25), Failure);
}
