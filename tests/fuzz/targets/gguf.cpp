#include "fuzz/target.h"

#include "base/failure.h"
#include "engine/load/model_tokenizer.h"
#include "fuzz/memory_file.h"
#include "fuzz/targets/tokenizer_laws.h"
#include "gguf/checkpoint_form.h"
#include "model/architectures.h"

#include <set>

namespace hs::fuzz {
namespace {

constexpr std::int64_t kMostRead = 1 << 16;

/// Every tensor lies in the file, apart from the others, and every row of it can be unpacked.
void requireSoundTensors(const gguf::Container& container, std::string_view input)
{
    for (const gguf::PackedTensor* const tensor : container.tensors()) {
        require(tensor->type->unpack, "weights that cannot be unpacked are refused");
        require(tensor->offset <= input.size() && tensor->bytes <= input.size() - tensor->offset,
                "a tensor lies inside the file");
        const auto elements = static_cast<std::uint64_t>(tensor->elements());
        require(elements % tensor->type->elements == 0 &&
                    elements / tensor->type->elements * tensor->type->bytes == tensor->bytes,
                "a tensor has the bytes of its shape");
        if (tensor->elements() > kMostRead)
            continue;
        std::vector<float> unpacked(elements);
        tensor->type->unpack(container.bytes(tensor->name).data(), elements / tensor->type->elements,
                             unpacked.data());
    }
}

/// Undoing the order of rows takes every row once.
void requireSoundOrder(const gguf::Container& container)
{
    const auto tensors = guarded([&] { return gguf::checkpointTensors(container); });
    if (!tensors)
        return requireRefusal(tensors.error());
    for (const gguf::CheckpointTensor& tensor : *tensors) {
        if (tensor.rows() > kMostRead)
            continue;
        std::set<std::int64_t> stored;
        for (std::int64_t row = 0; row < tensor.rows(); ++row)
            stored.insert(tensor.storedRow(row));
        require(static_cast<std::int64_t>(stored.size()) == tensor.rows() && *stored.begin() == 0 &&
                    *stored.rbegin() == tensor.rows() - 1,
                "each row is taken once");
    }
}

void requireSoundTokenizer(const model::ModelFiles& files)
{
    const Result<engine::ModelTokenizer> loaded = engine::loadTokenizer(files);
    if (!loaded)
        return requireRefusal(loaded.error());
    if (loaded->tokenizer)
        requireSoundEncoding(*loaded->tokenizer, "Once upon a time, 12 naïve\n cats\xff <s>");
}

void check(std::string_view input)
{
    static const MemoryFile kFile;
    model::ModelFiles files;
    files.format = model::ModelFiles::Format::Gguf;
    files.weights = {kFile.with(input)};
    const auto container = guarded([&] { return gguf::Container::open(files.weights); });
    if (!container)
        return requireRefusal(container.error());
    requireSoundTensors(*container, input);
    requireSoundTokenizer(files);
    const auto config = guarded([&] { return gguf::configOf(*container); });
    if (!config)
        return requireRefusal(config.error());
    if (const auto spec = model::readArchSpec(*config); !spec)
        requireRefusal(spec.error());
    requireSoundOrder(*container);
}

const Target kTarget("gguf", check);

}  // namespace
}  // namespace hs::fuzz
