#pragma once

#include "base/json.h"
#include "engine/device/torch.h"
#include "model/dtype.h"
#include "model/model_files.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hs::engine {

/// Where a model's tensors come from, under the file's names. Sources give views of mapped files: copy a
/// tensor, then `release` it, and memory never holds the model twice.
class TensorSource {
public:
    virtual ~TensorSource() = default;

    virtual std::vector<std::string> names() const = 0;
    virtual std::vector<std::int64_t> shape(const std::string& name) const = 0;
    virtual model::DType dtype(const std::string& name) const = 0;
    /// Valid until `release`; on the CPU, in the file's type.
    virtual at::Tensor tensor(const std::string& name) = 0;
    virtual void release(const std::string& name) = 0;
    /// Throws Failure when a file was written to since it was opened: tensors may be from two versions.
    virtual void requireUnchanged() const = 0;
    /// The model's sizes as far as the file gives them, as config.json would; may be empty.
    virtual Json config() const { return Json::object(); }
};

std::unique_ptr<TensorSource> openSafetensors(const model::ModelFiles& files);
/// .pth/.pt/.bin through libtorch's restricted unpickler: no code in the file ever runs.
std::unique_ptr<TensorSource> openStateDict(const model::ModelFiles& files);

}  // namespace hs::engine
