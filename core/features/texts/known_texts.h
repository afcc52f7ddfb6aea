#pragma once

#include "base/result.h"
#include "features/texts/feature_texts.h"
#include "features/texts/labels.h"
#include "features/texts/texts_file.h"
#include "features/texts/tracer_texts.h"

#include <filesystem>
#include <optional>

namespace hs::features {

/// What the files beside a set of transcoders say about its features: texts.json, packed or not, or else the folder
/// that sets of circuit-tracer bring; and the user's labels, which are kept in labels.json there, or in the user's own data
/// where that folder cannot be written to. Owned and called by one thread.
class KnownTexts {
public:
    /// A file that cannot be read is left out and said in `notes`. `own` is the file of labels in the user's own
    /// data.
    explicit KnownTexts(const std::filesystem::path& folder);
    KnownTexts(const std::filesystem::path& folder, std::filesystem::path own);

    /// As far as anything is known, the label included.
    Result<FeatureTexts> textsOf(FeatureId feature);

    const Labels& labels() const { return m_labels; }
    /// An empty label takes it away. Returns the file that keeps it.
    Result<std::filesystem::path> setLabel(FeatureId feature, const std::string& label);

    const std::vector<std::string>& notes() const { return m_notes; }

private:
    std::filesystem::path m_beside;  // labels.json there
    std::filesystem::path m_own;
    Labels m_labels;
    bool m_hasLabels = false;  // else their file could not be read
    std::optional<TextsFile> m_texts;
    std::optional<TracerTexts> m_tracer;
    std::vector<std::string> m_notes;
};

}  // namespace hs::features
