#pragma once

#include "core/model/safetensors_bytes.h"
#include "model/model_locator.h"
#include "support/catch.h"
#include "support/temp_dir.h"

#include <filesystem>
#include <string>

namespace hs::test {

inline const std::string kSafetensors = safetensorsBytes("{}");
inline const std::string kZip = "PK\x03\x04 and more";
inline const std::string kLegacyTorch = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.";
inline const std::string kPointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n";

/// The model found; there must be one.
inline model::ModelFiles found(const std::filesystem::path& where, const model::Environment& environment = {})
{
    const auto files = model::locateModel(where.string(), environment);
    INFO((files ? "" : files.error().message));
    REQUIRE(files);
    return *files;
}

/// The refusal, which must name a remedy and be one sentence.
inline std::string refusal(const std::filesystem::path& where, const model::Environment& environment = {})
{
    const auto files = model::locateModel(where.string(), environment);
    REQUIRE_FALSE(files);
    CHECK(files.error().code != ErrorCode::Internal);
    CHECK(files.error().message.ends_with("."));
    CHECK(contains(files.error().message, "; "));
    return files.error().message;
}

/// A cache with one downloaded model, as huggingface_hub lays it out.
class Cache {
public:
    explicit Cache(const std::string& entry = "models--org--name") : m_entry(entry) {}

    void addSnapshot(const std::string& commit) const
    {
        m_folder.write(m_entry / "blobs" / ("w" + commit), kSafetensors);
        m_folder.write(m_entry / "snapshots" / commit / "config.json", "{}");
        std::filesystem::create_symlink("../../blobs/w" + commit, snapshot(commit) / "model.safetensors");
    }
    void setMain(const std::string& text) const { m_folder.write(m_entry / "refs" / "main", text); }
    std::filesystem::path entry() const { return m_folder / m_entry; }
    std::filesystem::path snapshot(const std::string& commit) const { return entry() / "snapshots" / commit; }
    const TempDir& folder() const { return m_folder; }
    model::Environment environment() const
    {
        model::Environment environment;
        environment.hfHubCache = m_folder.path().string();
        return environment;
    }

private:
    TempDir m_folder;
    std::filesystem::path m_entry;
};

}  // namespace hs::test
