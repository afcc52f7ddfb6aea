#include "fuzz/target.h"

#include "base/failure.h"
#include "model/safetensors_header.h"

namespace hs::fuzz {
namespace {

void check(std::string_view input)
{
    const auto header = guarded(
        [&] { return model::readSafetensorsHeader(std::as_bytes(std::span(input)), "model.safetensors"); });
    if (!header)
        return requireRefusal(header.error());
    std::uint64_t end = 0;
    for (const model::TensorInfo& tensor : header->tensors) {
        require(end == 0 || tensor.offset == end, "tensors lie one behind the other");
        require(tensor.offset <= input.size() && tensor.bytes <= input.size() - tensor.offset,
                "a tensor lies inside the file");
        require(model::tensorBytes(tensor.dtype, tensor.shape) == tensor.bytes,
                "a tensor has the bytes of its shape");
        end = tensor.offset + tensor.bytes;
    }
    require(header->tensors.empty() || end == input.size(), "tensors end where the file does");
    require(!model::repeatedName(header->tensors), "a name stands for one tensor");
}

const Target kTarget("safetensors_header", check);

}  // namespace
}  // namespace hs::fuzz
