#pragma once

#include "engine/load/model_loader.h"
#include "model/model_locator.h"
#include "support/catch.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hs::test {

inline std::filesystem::path goldenModels()
{
    return std::filesystem::path(HS_SOURCE_DIR) / "tests" / "golden" / "models";
}

/// Names of the golden models that come with Hugging Face's results, sorted.
inline std::vector<std::string> goldenNames()
{
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(goldenModels()))
        if (std::filesystem::exists(entry.path() / "expected.npz"))
            names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

/// The value of a Result that must hold one.
template <class T>
T value(Result<T> result)
{
    if (!result)
        FAIL(result.error().message << "\n" << result.error().detail);
    return std::move(*result);
}

/// The GPU if there is one, so that the same tests cover both; float32 either way.
inline engine::LoadOptions testOptions()
{
    return {value(engine::chooseDevice("auto")), model::DType::F32};
}

inline std::shared_ptr<const engine::Model> openModel(const std::filesystem::path& where)
{
    return value(engine::loadModel(value(model::locateModel(where.string(), {})), testOptions()));
}

inline std::shared_ptr<const engine::Model> openGolden(const std::string& name)
{
    return openModel(goldenModels() / name);
}

/// A golden model, or one of the demo pair, whose products are large enough to be the same for every row;
/// opened once for all cases.
inline std::shared_ptr<const engine::Model> openOnce(const std::string& name)
{
    static std::map<std::string, std::shared_ptr<const engine::Model>> known;
    std::shared_ptr<const engine::Model>& model = known[name];
    if (!model)
        model = name.starts_with("demo") ? openModel(HS_SOURCE_DIR "/resources/models/" + name)
                                         : openGolden(name);
    return model;
}

}  // namespace hs::test
