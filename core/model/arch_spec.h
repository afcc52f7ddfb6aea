#pragma once

#include "base/enum_words.h"
#include "base/head_id.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hs::model {

enum class NormKind { LayerNorm, RmsNorm };
enum class QkNorm { None, PerHead, AllHeads };
enum class Activation { Relu, Gelu, GeluTanh, QuickGelu, Silu };

constexpr auto enumWords(Activation)
{
    return std::to_array<EnumWord<Activation>>({{Activation::Relu, "relu"},
                                                {Activation::Gelu, "gelu"},
                                                {Activation::Gelu, "gelu_python"},
                                                {Activation::GeluTanh, "gelu_new"},
                                                {Activation::GeluTanh, "gelu_fast"},
                                                {Activation::GeluTanh, "gelu_pytorch_tanh"},
                                                {Activation::QuickGelu, "quick_gelu"},
                                                {Activation::Silu, "silu"},
                                                {Activation::Silu, "swish"}});
}

/// Which checkpoint the tensor names and orientations come from; see weight_plan.h.
enum class NameStyle { Gpt2, NanoGpt, GptNeo, GptNeoX, Llama, Opt, Phi3 };

/// Rotary positions: how fast pairs of dimensions turn, and how that was stretched for longer contexts.
struct Rope {
    enum class Kind { Plain, Linear, Llama3, Yarn, LongRope };
    Kind kind = Kind::Plain;
    double theta = 10000;
    double factor = 1;
    double originalContext = 8192;  // that the model had before it was stretched
    double amplitude = 1;           // of sine and cosine

    double lowFrequencyFactor = 1;  // of Llama3
    double highFrequencyFactor = 4;
    double betaFast = 32;  // of Yarn: turns within the original context from which on a pair is kept
    double betaSlow = 1;   // and below which it is stretched
    bool truncates = true;
    std::vector<double> shortFactors;  // of LongRope, for prompts within the original context [pair]
    std::vector<double> longFactors;   // and for longer ones

    friend bool operator==(const Rope&, const Rope&) = default;
};

/// Everything the one generic decoder needs to know about a model: a value, read from config.json.
struct ArchSpec {
    std::string modelType;
    NameStyle names = NameStyle::Llama;

    int layers = 0;
    int heads = 0;
    int kvHeads = 0;
    int headDim = 0;
    int hidden = 0;
    int intermediate = 0;
    int vocabulary = 0;
    int context = 0;  // longest prompt

    NormKind norm = NormKind::RmsNorm;
    double normEps = 1e-5;
    bool hasNormWeight = true;
    bool hasNormBias = false;
    bool normsPlusOne = false;  // files hold w, norms multiply by 1 + w (Gemma)
    bool normBefore = true;     // norms the sublayers' inputs
    bool normAfter = false;     // norms their outputs (OLMo 2: only these; Gemma: both)
    QkNorm qkNorm = QkNorm::None;

    bool hasQkvBias = false;
    bool hasOutBias = false;
    bool hasMlpBias = false;
    bool hasGatedMlp = true;
    Activation activation = Activation::Silu;
    bool hasParallelResidual = false;  // attention and MLP read the same residual (GPT-NeoX)
    bool isTied = false;               // the unembedding is the embedding

    double embeddingScale = 1;  // rounded to the type of the weights before it is used (Gemma)
    bool hasLearnedPositions = false;
    int positionOffset = 0;  // row of the first position among the learned ones (OPT)
    int rotaryDims = 0;      // of each head; 0 without rotary positions
    Rope rope;
    std::optional<Rope> localRope;  // of layers with a window, where they have their own

    std::optional<double> scoreFactor;  // of scores; by default 1 / sqrt(headDim)
    bool scalesScoresByLayer = false;   // and by 1 / (layer + 1)
    std::optional<double> scoreCap;     // scores become cap * tanh(score / cap), before mask and gate
    std::optional<double> logitCap;     // and so do logits
    std::optional<double> clipQkv;
    std::vector<int> windows;        // [layer] keys a query may see back, itself included; 0 = all
    std::optional<double> gateBias;  // set: a sparse model, whose score gate has this bias

    std::string dtypeName;  // as config.json gives it, empty if it does not
    std::optional<std::int64_t> bosToken;

    HeadShape headShape() const { return {layers, heads, kvHeads}; }
    int queryWidth() const { return heads * headDim; }
    int kvWidth() const { return kvHeads * headDim; }
    double scoreScale(int layer) const;
    bool hasLocalRope(int layer) const { return localRope && windows[layer] > 0; }

    friend bool operator==(const ArchSpec&, const ArchSpec&) = default;
};

/// Angle per position of each rotated pair of dimensions in a prompt of `length` tokens. [rotaryDims / 2]
std::vector<float> rotaryFrequencies(const Rope& rope, int rotaryDims, std::int64_t length);

}  // namespace hs::model
