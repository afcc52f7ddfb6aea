#include "engine/run/cpu_activation.h"
#include "support/catch.h"

#include <cmath>
#include <vector>

using namespace hs;

namespace {

double exactValue(model::Activation activation, double x)
{
    if (activation == model::Activation::Silu)
        return x / (1 + std::exp(-x));
    return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

}  // namespace

TEST_CASE("vectorised activations equal their definitions to float precision")
{
    const model::Activation activation = GENERATE(model::Activation::Silu, model::Activation::GeluTanh);
    std::vector<float> x;
    for (double value = -200; value <= 200; value += 0.0037)
        x.push_back(static_cast<float>(value));
    for (const float edge : {0.0f, -0.0f, 1e-30f, -1e-30f, 1e20f, -1e20f, INFINITY})
        x.push_back(edge);
    std::vector<float> y = x;
    engine::activate(activation, y.data(), y.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        INFO(x[i]);
        const double epsilon = std::abs(x[i]) < 3 ? 1e-6 : 1e-5;
        REQUIRE(y[i] == Approx(exactValue(activation, x[i])).epsilon(epsilon).margin(1e-12));
    }
}

TEST_CASE("a gated activation is the activation times the factor")
{
    const model::Activation activation = GENERATE(model::Activation::Silu, model::Activation::GeluTanh);
    std::vector<float> x = {-3, -0.5f, 0, 0.25f, 2, 9};
    const std::vector<float> factor = {1, -2, 3, 0.5f, 0, -1};
    std::vector<float> plain = x;
    engine::activate(activation, plain.data(), plain.size());
    engine::activateGated(activation, x.data(), factor.data(), x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        CHECK(x[i] == Approx(plain[i] * factor[i]));
}

TEST_CASE("a NaN stays a NaN")
{
    float x = NAN;
    engine::activate(model::Activation::Silu, &x, 1);
    CHECK(std::isnan(x));
}
