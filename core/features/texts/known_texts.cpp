#include "features/texts/known_texts.h"

#include "base/atomic_file.h"
#include "base/failure.h"

namespace hs::features {
namespace {

constexpr const char* kTracerFolder = "features";

}  // namespace

KnownTexts::KnownTexts(const std::filesystem::path& folder) : KnownTexts(folder, ownLabelFile(folder)) {}

KnownTexts::KnownTexts(const std::filesystem::path& folder, std::filesystem::path own)
    : m_beside(folder / "labels.json"), m_own(std::move(own))
{
    const auto attempt = [this](const auto& read) {
        try {
            read();
        } catch (const Failure& failure) {
            m_notes.push_back(failure.error().message);
        }
    };
    std::error_code ignored;
    if (std::filesystem::exists(folder / kTextsFile, ignored))
        attempt([&] { m_texts.emplace(folder / kTextsFile); });
    else if (std::filesystem::exists(folder / kPackedTextsFile, ignored))
        attempt([&] { m_texts.emplace(folder / kPackedTextsFile); });
    else if (std::filesystem::exists(folder / kTracerFolder / "index.json.gz", ignored))
        attempt([&] { m_tracer.emplace(folder / kTracerFolder); });
    // Own labels began as a copy of those beside.
    attempt([&] {
        m_labels = readLabels(std::filesystem::exists(m_own, ignored) ? m_own : m_beside);
        m_hasLabels = true;
    });
}

Result<FeatureTexts> KnownTexts::textsOf(FeatureId feature)
{
    return guarded([&] {
        FeatureTexts texts;
        texts.feature = feature;
        if (m_texts)
            texts = m_texts->textsOf(feature);
        else if (m_tracer)
            texts = m_tracer->textsOf(feature);
        if (const auto label = m_labels.find(feature); label != m_labels.end())
            texts.label = label->second;
        return texts;
    });
}

Result<std::filesystem::path> KnownTexts::setLabel(FeatureId feature, const std::string& label)
{
    return guarded([&] {
        if (!m_hasLabels)  // they would be lost
            fail(ErrorCode::BadFile, m_notes.back());
        if (label.size() > kLongestLabel)
            fail(ErrorCode::BadRequest, "The label of " + toString(feature) + " is longer than " +
                                            std::to_string(kLongestLabel) + " bytes; shorten it.");
        Labels changed = m_labels;
        if (label.empty())
            changed.erase(feature);
        else
            changed[feature] = label;
        const std::string json = labelsJson(changed);
        std::error_code ignored;
        const auto keep = [&](const std::filesystem::path& file) {
            writeFile(file, json);
            m_labels = std::move(changed);
            return file;
        };
        if (!std::filesystem::exists(m_own, ignored))
            if (const auto beside = guarded([&] { return keep(m_beside); }))
                return *beside;
        std::filesystem::create_directories(m_own.parent_path(), ignored);
        return keep(m_own);
    });
}

}  // namespace hs::features
