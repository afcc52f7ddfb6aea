#pragma once

#include "engine/device/placement.h"
#include "model/arch_spec.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hs::engine {

struct ModelWeights;

/// A loaded model: what it is and its weights on their devices. Immutable and shared between
/// threads; no run ever changes it.
class Model {
public:
    struct Facts {
        std::string name;  // for titles: the folder's or the file's name
        model::ArchSpec spec;
        Placement placement;
        Device device;                           // of the first layer; of all unless the model is split
        model::DType dtype = model::DType::F32;  // of the weights in memory
        std::uint64_t weightBytes = 0;           // in memory
        std::vector<std::string> notes;          // what the user should know about how it was read
    };

    Model(Facts facts, std::unique_ptr<const ModelWeights> weights);
    ~Model();
    Model(const Model&) = delete;
    Model& operator=(const Model&) = delete;

    const Facts& facts() const { return m_facts; }
    const model::ArchSpec& spec() const { return m_facts.spec; }
    const ModelWeights& weights() const { return *m_weights; }

private:
    Facts m_facts;
    std::unique_ptr<const ModelWeights> m_weights;
};

}  // namespace hs::engine
