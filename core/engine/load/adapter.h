#pragma once

#include "base/result.h"
#include "engine/load/model.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace hs::model {
struct AdapterFiles;
}

namespace hs::engine {

struct AdapterWeights;

/// An adapter opened on its base: what it adds to projections, held beside the base's weights, which it leaves alone.
/// Immutable and shared between threads.
class Adapter {
public:
    struct Facts {
        std::string name;  // for titles
        std::filesystem::path folder;
        std::string fingerprint;         // of its files
        std::optional<double> gateBias;  // of the score gate it was trained with
        int firstLayer = 0;              // that it changes
        int modules = 0;                 // how many it changes
        int rank = 0;                    // the largest
    };

    Adapter(Facts facts, std::unique_ptr<const AdapterWeights> weights);
    ~Adapter();
    Adapter(const Adapter&) = delete;
    Adapter& operator=(const Adapter&) = delete;

    const Facts& facts() const { return m_facts; }
    const AdapterWeights& weights() const { return *m_weights; }

private:
    Facts m_facts;
    std::unique_ptr<const AdapterWeights> m_weights;
};

/// Refuses, by the name of the module, what does not fit the base.
Result<std::shared_ptr<const Adapter>> loadAdapter(const model::AdapterFiles& files, const Model& base);

/// Whether an adapter can be used in runs of a model: each change is as wide and as high as what it changes, and where
/// that is.
bool fits(const Adapter& adapter, const Model& model);

}  // namespace hs::engine
