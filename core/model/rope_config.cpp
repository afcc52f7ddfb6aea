#include "model/rope_config.h"

#include "base/failure.h"
#include "model/config_bounds.h"

#include <cmath>

namespace hs::model {
namespace {

void readLlama3(Rope& rope, const JsonReader& from)
{
    rope.kind = Rope::Kind::Llama3;
    rope.lowFrequencyFactor = from["low_freq_factor"].number(1e-6, 1e6, 1);
    rope.highFrequencyFactor = from["high_freq_factor"].number(1e-6, 1e6, 4);
    if (rope.highFrequencyFactor <= rope.lowFrequencyFactor)
        fail(ErrorCode::BadFile, "config.json gives a high_freq_factor that is not above low_freq_factor; "
                                 "correct its rope scaling.");
}

void readYarn(Rope& rope, const JsonReader& from)
{
    rope.kind = Rope::Kind::Yarn;
    if (rope.theta <= 1)
        fail(ErrorCode::BadFile,
             "config.json gives a rope_theta that is not above 1, as yarn needs it; correct "
             "its rope scaling.");
    rope.betaFast = from["beta_fast"].number(1e-6, 1e6, 32);
    rope.betaSlow = from["beta_slow"].number(1e-6, 1e6, 1);
    rope.truncates = from["truncate"].flag(true);
    const auto amplitude = [&](double weight) {
        return rope.factor > 1 ? 0.1 * weight * std::log(rope.factor) + 1 : 1;
    };
    const double over = from["mscale"].number(0, 1e6, 0);
    const double under = from["mscale_all_dim"].number(0, 1e6, 0);
    rope.amplitude = from["attention_factor"].number(
        1e-6, 1e6, over > 0 && under > 0 ? amplitude(over) / amplitude(under) : amplitude(1));
}

std::vector<double> readFactors(const JsonReader& from, int rotaryDims)
{
    std::vector<double> factors;
    for (const JsonReader factor : from.items(static_cast<std::size_t>(rotaryDims / 2)))
        factors.push_back(factor.number(1e-6, 1e6));
    return factors;
}

void readLongRope(Rope& rope, const JsonReader& from, int rotaryDims)
{
    rope.kind = Rope::Kind::LongRope;
    rope.shortFactors = readFactors(from["short_factor"], rotaryDims);
    rope.longFactors = readFactors(from["long_factor"], rotaryDims);
    const bool isStretched = rope.factor > 1 && rope.originalContext > 1;
    rope.amplitude = from["attention_factor"].number(
        1e-6, 1e6, isStretched ? std::sqrt(1 + std::log(rope.factor) / std::log(rope.originalContext)) : 1);
}

void readScaling(Rope& rope, const JsonReader& from, const JsonReader& config, const ArchSpec& spec)
{
    std::string kind = from[{"rope_type", "type"}].text("default");
    if (kind == "su" || from["short_factor"])
        kind = "longrope";  // names that Phi-3 gave it at first
    if (kind == "default")
        return;
    rope.originalContext = from["original_max_position_embeddings"].number(
        1, kMostContext, config["original_max_position_embeddings"].number(1, kMostContext, spec.context));
    const bool isByContext = kind == "yarn" || kind == "longrope";
    rope.factor = from["factor"].number(1e-6, 1e6, isByContext ? spec.context / rope.originalContext : 1);
    if (kind == "linear")
        rope.kind = Rope::Kind::Linear;
    else if (kind == "llama3")
        readLlama3(rope, from);
    else if (kind == "yarn")
        readYarn(rope, from);
    else if (kind == "longrope")
        readLongRope(rope, from, spec.rotaryDims);
    else
        fail(ErrorCode::Unsupported,
             "The rope scaling \"" + kind.substr(0, 40) +
                 "\" in config.json is not supported; default, linear, llama3, longrope and yarn are.");
}

}  // namespace

void readRope(ArchSpec& spec, const JsonReader& config, double defaultShare)
{
    const JsonReader whole = config[{"rope_parameters", "rope_scaling"}];
    const JsonReader perType = whole["full_attention"];
    const JsonReader& rope = perType ? perType : whole;
    const double share = rope["partial_rotary_factor"].number(
        0, 1, config[{"partial_rotary_factor", "rotary_pct"}].number(0, 1, defaultShare));
    spec.rotaryDims = static_cast<int>(spec.headDim * share);
    if (spec.rotaryDims % 2 != 0)
        fail(ErrorCode::BadFile,
             "config.json asks for rotary positions on " + std::to_string(spec.rotaryDims) +
                 " dimensions of a head, but they come in pairs; correct the head size or "
                 "the rotary share.");

    const auto theta = [](const JsonReader& from, double otherwise) {
        return from[{"rope_theta", "rotary_emb_base"}].number(1e-3, 1e15, otherwise);
    };
    spec.rope.theta = theta(rope, theta(config, spec.rope.theta));
    readScaling(spec.rope, rope, config, spec);
    if (!spec.localRope)
        return;
    // Without parameters of their own, layers with a window keep the plain angles.
    const JsonReader local = whole["sliding_attention"];
    spec.localRope->theta = theta(local, spec.localRope->theta);
    readScaling(*spec.localRope, local, config, spec);
}

}  // namespace hs::model
