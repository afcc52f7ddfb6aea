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
enum class NameStyle { Gpt2, NanoGpt, GptNeoX, Llama };

struct RopeScaling {
    enum class Kind { None, Linear, Llama3, Factors };
    Kind kind = Kind::None;
    double factor = 1;
    double lowFrequencyFactor = 1;
    double highFrequencyFactor = 4;
    double originalContext = 8192;
    std::vector<double> factors;  // Factors: divides each frequency. [rotaryDims / 2]

    friend bool operator==(const RopeScaling&, const RopeScaling&) = default;
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
    bool normAfter = false;  // norms the sublayers' outputs instead of their inputs (OLMo 2)
    QkNorm qkNorm = QkNorm::None;

    bool hasQkvBias = false;
    bool hasOutBias = false;
    bool hasMlpBias = false;
    bool hasGatedMlp = true;
    Activation activation = Activation::Silu;
    bool hasParallelResidual = false;  // attention and MLP read the same residual (GPT-NeoX)
    bool isTied = false;               // the unembedding is the embedding

    bool hasLearnedPositions = false;
    int rotaryDims = 0;  // of each head; 0 without rotary positions
    double ropeTheta = 10000;
    RopeScaling ropeScaling;

    bool scalesScores = true;          // by 1 / sqrt(headDim)
    bool scalesScoresByLayer = false;  // and by 1 / (layer + 1)
    std::optional<double> clipQkv;
    std::vector<int> windows;        // [layer] keys a query may see back, itself included; 0 = all
    std::optional<double> gateBias;  // set: a sparse model, whose score gate has this bias

    std::string dtypeName;  // as config.json gives it, empty if it does not
    std::optional<std::int64_t> bosToken;

    HeadShape headShape() const { return {layers, heads, kvHeads}; }
    int queryWidth() const { return heads * headDim; }
    int kvWidth() const { return kvHeads * headDim; }
    double scoreScale(int layer) const;

    friend bool operator==(const ArchSpec&, const ArchSpec&) = default;
};

/// Angle per position of each rotated pair of dimensions, scaling applied. [rotaryDims / 2]
std::vector<float> rotaryFrequencies(const ArchSpec& spec);

}  // namespace hs::model
