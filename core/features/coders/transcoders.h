#pragma once

#include "base/enum_words.h"
#include "base/result.h"
#include "model/arch_spec.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hs::features {

/// Where an encoder reads the stream of its layer.
enum class Place {
    Middle,    // before the norm of the MLP
    Normed,    // divided by the norm's scale, before its weights
    MlpInput,  // what the MLP gets
};

constexpr auto enumWords(Place)
{
    return std::to_array<EnumWord<Place>>(
        {{Place::Middle, "middle"}, {Place::Normed, "normed"}, {Place::MlpInput, "mlp-input"}});
}

enum class Firing {
    Relu,
    JumpRelu,
    TopK,  // keeps the sign
    ReluTopK,
};

/// What a set of transcoders is.
struct CoderFacts {
    std::string name;    // of the folder, for titles
    std::string layout;  // in words: "circuit-tracer, across layers"
    int layers = 0;
    int width = 0;
    int features = 0;  // of each layer
    bool crossesLayers = false;
    bool hasSkip = false;
    Firing firing = Firing::Relu;
    int k = 0;                   // of TopK and ReluTopK
    std::optional<Place> place;  // where the files say it; else decided by reconstruction
    bool centresOutput = false;  // models y − mean(y)
    bool hasScales = false;      // the files say what inputs are multiplied with, be it 1
    std::vector<std::string> notes;
};

struct CoderWeights;

/// An open set of transcoders of a model: immutable, shared between threads, in the model's units (scales of
/// the files folded in).
class Transcoders {
public:
    Transcoders(CoderFacts facts, std::unique_ptr<const CoderWeights> weights);
    ~Transcoders();
    Transcoders(const Transcoders&) = delete;
    Transcoders& operator=(const Transcoders&) = delete;

    const CoderFacts& facts() const { return m_facts; }
    const CoderWeights& weights() const { return *m_weights; }

private:
    CoderFacts m_facts;
    std::unique_ptr<const CoderWeights> m_weights;
};

/// Opens a folder, whatever its layout, for a model of this shape.
Result<std::shared_ptr<const Transcoders>> openTranscoders(const std::filesystem::path& folder,
                                                           const model::ArchSpec& spec);

/// The same set, reading at a place and modelling outputs so; `scales` [layer] of what it reads may be empty.
std::shared_ptr<const Transcoders> readingAt(std::shared_ptr<const Transcoders> coders, Place place,
                                             bool centresOutput, const std::vector<double>& scales);

/// The folder to use: the one given, or `transcoders` beside the model's files.
std::optional<std::filesystem::path> findTranscoders(const std::optional<std::filesystem::path>& given,
                                                     const std::filesystem::path& model);

}  // namespace hs::features
