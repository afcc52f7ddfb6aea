#pragma once

#include "base/json.h"
#include "engine/device/torch.h"
#include "model/dtype.h"
#include "model/model_files.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace hs::engine {

/// Where a model's tensors come from, under the names that a checkpoint has. Files are mapped: read a tensor,
/// then `release` it, and memory never holds the model twice.
class TensorSource {
public:
    virtual ~TensorSource() = default;

    virtual std::vector<std::string> names() const = 0;
    virtual std::vector<std::int64_t> shape(const std::string& name) const = 0;
    /// The type in the file, or for packed weights the one closest to what they were made from.
    virtual model::DType dtype(const std::string& name) const = 0;
    /// Fills `to` with as many rows as it has, from `firstRow` on. It is on the CPU, contiguous, and of the
    /// type that the weights get.
    virtual void read(const std::string& name, std::int64_t firstRow, const at::Tensor& to) = 0;
    virtual void release(const std::string& name) = 0;
    /// Whether tensors may be used where they lie, as the files will not change.
    virtual bool staysUnchanged() const { return false; }
    /// The rows of several tensors as one, where they lie, for as long as it is used; undefined where they do not follow one
    /// another or have another type. On the CPU, never to be written to.
    virtual at::Tensor inPlace(std::span<const std::string> /*names*/, at::ScalarType /*type*/) const
    {
        return {};
    }
    /// Throws Failure when a file was written to since it was opened: tensors may be from two versions.
    virtual void requireUnchanged() const = 0;
    /// The model's sizes as far as the file gives them, as config.json would; may be empty.
    virtual Json config() const { return Json::object(); }
    /// What the user should know about the weights.
    virtual std::vector<std::string> notes() const { return {}; }
};

/// A source whose files hold tensors as torch does.
class PlainTensorSource : public TensorSource {
public:
    /// A view of the file, valid until `release`; on the CPU, in the file's type.
    virtual at::Tensor tensor(const std::string& name) = 0;

    void read(const std::string& name, std::int64_t firstRow, const at::Tensor& to) final
    {
        to.copy_(tensor(name).narrow(0, firstRow, to.size(0)));  // torch's threads share the copy
    }
};

std::unique_ptr<TensorSource> openSource(const model::ModelFiles& files);

std::unique_ptr<TensorSource> openSafetensors(const model::ModelFiles& files);
/// .pth/.pt/.bin through libtorch's restricted unpickler: no code in the file ever runs.
std::unique_ptr<PlainTensorSource> openStateDict(const model::ModelFiles& files);
/// Unpacks weights as they are read.
std::unique_ptr<TensorSource> openGguf(const model::ModelFiles& files);

}  // namespace hs::engine
