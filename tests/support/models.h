#pragma once

#include "engine/model_loader.h"
#include "model/model_locator.h"
#include "support/catch.h"

#include <filesystem>
#include <memory>

namespace hs::test {

inline std::filesystem::path goldenModels()
{
    return std::filesystem::path(HS_SOURCE_DIR) / "tests" / "golden" / "models";
}

/// The value of a Result that must hold one.
template <class T>
T value(Result<T> result)
{
    if (!result)
        FAIL(result.error().message << "\n" << result.error().detail);
    return std::move(*result);
}

/// The GPU where there is one, so that the same tests prove both; float32 either way.
inline LoadOptions testOptions()
{
    return {value(chooseDevice("auto")), DType::F32};
}

inline std::shared_ptr<const Model> openModel(const std::filesystem::path& where)
{
    return value(loadModel(value(locateModel(where.string(), {})), testOptions()));
}

inline std::shared_ptr<const Model> openGolden(const std::string& name)
{
    return openModel(goldenModels() / name);
}

}  // namespace hs::test
