#include "engine/load/tensor_source_tensors.h"

#include "engine/device/device_tensors.h"
#include "model/checkpoint.h"

#include <cstdint>
#include <cstring>

namespace hs::engine {
namespace {

class SafetensorsSource final : public PlainTensorSource {
public:
    explicit SafetensorsSource(const model::ModelFiles& files)
        : m_checkpoint(
              std::make_shared<const model::SafetensorsCheckpoint>(model::SafetensorsCheckpoint::open(files)))
    {
    }

    std::vector<std::string> names() const override
    {
        const std::vector<std::string_view> names = m_checkpoint->names();
        return {names.begin(), names.end()};
    }
    std::vector<std::int64_t> shape(const std::string& name) const override
    {
        return m_checkpoint->find(name)->shape;
    }
    model::DType dtype(const std::string& name) const override { return m_checkpoint->find(name)->dtype; }

    at::Tensor tensor(const std::string& name) override
    {
        const model::TensorInfo& info = *m_checkpoint->find(name);
        const std::span<const std::byte> bytes = m_checkpoint->bytes(name);
        const at::TensorOptions options(torchType(info.dtype));
        const bool isAligned =
            reinterpret_cast<std::uintptr_t>(bytes.data()) % model::byteSize(info.dtype) == 0;
        if (isAligned && !bytes.empty())
            return at::from_blob(const_cast<std::byte*>(bytes.data()), info.shape, options);
        at::Tensor copy = at::empty(info.shape, options);
        if (!bytes.empty())
            std::memcpy(copy.data_ptr(), bytes.data(), bytes.size());
        return copy;
    }

    void release(const std::string& name) override { m_checkpoint->release(name); }
    void requireUnchanged() const override { m_checkpoint->requireUnchanged(); }
    bool staysUnchanged() const override { return m_checkpoint->staysUnchanged(); }

    at::Tensor inPlace(std::span<const std::string> names, at::ScalarType type) const override
    {
        const std::byte* const first = m_checkpoint->bytes(names.front()).data();
        const std::byte* next = first;
        std::vector<std::int64_t> shape = m_checkpoint->find(names.front())->shape;
        shape[0] = 0;
        for (const std::string& name : names) {
            const model::TensorInfo& info = *m_checkpoint->find(name);
            const std::span<const std::byte> bytes = m_checkpoint->bytes(name);
            if (torchType(info.dtype) != type || bytes.data() != next)
                return {};
            next = bytes.data() + bytes.size();
            shape[0] += info.shape[0];
        }
        if (reinterpret_cast<std::uintptr_t>(first) % c10::elementSize(type) != 0)
            return {};
        return at::from_blob(
            const_cast<std::byte*>(first), shape, [kept = m_checkpoint](void*) {}, at::TensorOptions(type));
    }

private:
    std::shared_ptr<const model::SafetensorsCheckpoint> m_checkpoint;
};

}  // namespace

std::unique_ptr<TensorSource> openSafetensors(const model::ModelFiles& files)
{
    return std::make_unique<SafetensorsSource>(files);
}

}  // namespace hs::engine
