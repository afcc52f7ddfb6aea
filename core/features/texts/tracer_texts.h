#pragma once

#include "base/mapped_file.h"
#include "features/texts/feature_texts.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <vector>

namespace hs::features {

/// The folder `features` in which sets of circuit-tracer bring texts: an index, and files with one packed record a
/// feature. Nothing in it is trusted. Owned and called by one thread.
class TracerTexts {
public:
    /// Throws Failure.
    explicit TracerTexts(std::filesystem::path folder);

    /// Nothing but its name of a feature without a record. Throws Failure.
    FeatureTexts textsOf(FeatureId feature);

private:
    struct Layer {
        std::filesystem::path file;
        std::vector<std::uint64_t> offsets;  // [feature + 1]
        MappedFile mapped;                   // once it was needed
    };

    std::filesystem::path m_folder;
    std::map<int, Layer> m_layers;
};

/// What a record says, unpacked. Throws Failure.
FeatureTexts tracerTexts(FeatureId feature, std::string_view record, const std::string& what);

/// The index: where each layer's records are. Throws Failure.
std::map<int, std::pair<std::string, std::vector<std::uint64_t>>> tracerIndex(std::string_view json,
                                                                              const std::string& what);

}  // namespace hs::features
