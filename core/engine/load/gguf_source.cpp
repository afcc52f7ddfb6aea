#include "engine/load/tensor_source_tensors.h"

#include "base/failure.h"
#include "base/untrusted_text.h"
#include "gguf/checkpoint_form.h"
#include "gguf/unpack.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>
#include <map>

namespace hs::engine {
namespace {

constexpr std::int64_t kPiece = 1 << 14;       // numbers that one thread unpacks before it converts them
constexpr std::int64_t kLeastShare = 1 << 16;  // numbers that are worth a thread
constexpr double kFewBits = 4;

/// Numbers that follow one another in the file and in the tensor.
struct Run {
    const std::byte* from;
    std::int64_t count;
};

class GgufSource final : public TensorSource {
public:
    explicit GgufSource(const model::ModelFiles& files)
        : m_container(gguf::Container::open(files.weights)), m_config(gguf::configOf(m_container))
    {
        for (gguf::CheckpointTensor& tensor : gguf::checkpointTensors(m_container)) {
            const std::string name = tensor.name;
            if (!m_tensors.emplace(name, std::move(tensor)).second)
                fail(ErrorCode::BadFile, m_container.name() + " holds two tensors that mean " +
                                             quotedName(name) + "; download it again.");
        }
    }

    std::vector<std::string> names() const override
    {
        std::vector<std::string> names;
        for (const auto& [name, tensor] : m_tensors)
            names.push_back(name);
        return names;
    }
    std::vector<std::int64_t> shape(const std::string& name) const override
    {
        return m_tensors.at(name).packed->shape;
    }
    model::DType dtype(const std::string& name) const override
    {
        const std::string_view type = m_tensors.at(name).packed->type->name;
        return type == "F32" ? model::DType::F32 : type == "F16" ? model::DType::F16 : model::DType::BF16;
    }

    void read(const std::string& name, std::int64_t firstRow, const at::Tensor& to) override
    {
        const gguf::CheckpointTensor& tensor = m_tensors.at(name);
        const std::int64_t first = firstRow * tensor.width();
        switch (to.scalar_type()) {
        case at::kFloat: unpackInto(tensor, first, to.data_ptr<float>(), to.numel()); break;
        case at::kBFloat16: unpackInto(tensor, first, to.data_ptr<at::BFloat16>(), to.numel()); break;
        case at::kHalf: unpackInto(tensor, first, to.data_ptr<at::Half>(), to.numel()); break;
        default: unpackInto(tensor, first, to.data_ptr<double>(), to.numel()); break;
        }
        if (tensor.isPlusOne)
            to.sub_(1);
    }

    void release(const std::string& name) override { m_container.release(m_tensors.at(name).packed->name); }
    void requireUnchanged() const override { m_container.requireUnchanged(); }
    Json config() const override { return m_config; }

    std::vector<std::string> notes() const override
    {
        const gguf::BlockType* fewest = nullptr;
        for (const auto& [name, tensor] : m_tensors)
            if (!fewest || tensor.packed->type->bitsPerWeight() < fewest->bitsPerWeight())
                fewest = tensor.packed->type;
        if (!fewest || fewest->bitsPerWeight() >= kFewBits)
            return {};
        return {"Weights of this file were rounded to fewer than 4 bits (" + std::string(fewest->name) +
                "), which moves attention patterns away from the original model's; use a Q8_0, F16 or BF16 "
                "file for measurements."};
    }

private:
    /// Threads take stretches of whole blocks, and of whole rows where rows were reordered.
    template <class Number>
    void unpackInto(const gguf::CheckpointTensor& tensor, std::int64_t first, Number* to, std::int64_t count)
    {
        const gguf::BlockType& type = *tensor.packed->type;
        const bool isKept = tensor.order == gguf::RowOrder::Kept;
        const std::int64_t step = isKept ? static_cast<std::int64_t>(type.elements) : tensor.width();
        if (first % step != 0 || count % step != 0)
            fail(ErrorCode::Unsupported, "The tensor " + quotedName(tensor.packed->name) +
                                             " cannot be read in parts; use another file of that model.");
        std::atomic<bool> isFinite = true;
        const std::int64_t least = std::max<std::int64_t>(kLeastShare / step, 1);
        at::parallel_for(0, count / step, least, [&](std::int64_t begin, std::int64_t end) {
            if (isKept) {
                const Run run{blocksAt(tensor, first + begin * step), (end - begin) * step};
                if (!unpackRun(type, run, to + begin * step))
                    isFinite = false;
                return;
            }
            for (std::int64_t row = begin; row < end; ++row) {
                const std::int64_t stored = tensor.storedRow(first / step + row);
                if (!unpackRun(type, {blocksAt(tensor, stored * step), step}, to + row * step))
                    isFinite = false;
            }
        });
        if (!isFinite)
            fail(ErrorCode::BadFile, "The tensor " + quotedName(tensor.packed->name) + " of " +
                                         m_container.name() +
                                         " holds numbers that are not finite; download it again, or use a "
                                         "BF16 file of that model.");
    }

    const std::byte* blocksAt(const gguf::CheckpointTensor& tensor, std::int64_t element) const
    {
        const gguf::BlockType& type = *tensor.packed->type;
        return m_container.bytes(tensor.packed->name).data() +
               element / static_cast<std::int64_t>(type.elements) * static_cast<std::int64_t>(type.bytes);
    }

    /// Whether all numbers are finite.
    template <class Number>
    static bool unpackRun(const gguf::BlockType& type, Run run, Number* to)
    {
        bool isFinite = true;
        std::vector<float> piece;
        if constexpr (!std::is_same_v<Number, float>)
            piece.resize(static_cast<std::size_t>(std::min(run.count, kPiece)));
        while (run.count > 0) {
            const std::int64_t count = std::min(run.count, kPiece);  // a multiple of every block
            const auto blocks = static_cast<std::size_t>(count / static_cast<std::int64_t>(type.elements));
            float* unpacked = piece.data();
            if constexpr (std::is_same_v<Number, float>)
                unpacked = to;
            type.unpack(run.from, blocks, unpacked);
            isFinite = gguf::isFinite(unpacked, static_cast<std::size_t>(count)) && isFinite;
            if constexpr (!std::is_same_v<Number, float>)
                std::ranges::transform(piece.begin(), piece.begin() + count, to,
                                       [](float value) { return static_cast<Number>(value); });
            run = {run.from + blocks * type.bytes, run.count - count};
            to += count;
        }
        return isFinite;
    }

    gguf::Container m_container;
    Json m_config;
    std::map<std::string, gguf::CheckpointTensor> m_tensors;
};

}  // namespace

std::unique_ptr<TensorSource> openGguf(const model::ModelFiles& files)
{
    return std::make_unique<GgufSource>(files);
}

std::unique_ptr<TensorSource> openSource(const model::ModelFiles& files)
{
    switch (files.format) {
    case model::ModelFiles::Format::Safetensors: return openSafetensors(files);
    case model::ModelFiles::Format::StateDict: return openStateDict(files);
    case model::ModelFiles::Format::Gguf: break;
    }
    return openGguf(files);
}

}  // namespace hs::engine
