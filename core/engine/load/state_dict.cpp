#include "engine/load/tensor_source_tensors.h"

#include "base/failure.h"
#include "base/mapped_file.h"
#include "base/untrusted_text.h"
#include "engine/device/device_tensors.h"
#include "model/pickle_dialect.h"
#include "model/tensor_info.h"
#include "model/zip_directory.h"

#include <torch/csrc/jit/serialization/unpickler.h>

#include <algorithm>
#include <map>
#include <optional>

namespace hs::engine {
namespace {

/// One torch.save file: the pickle is read by libtorch's unpickler, which knows tensors, numbers,
/// strings and containers and refuses everything else; tensors stay views of the mapped file.
class StateDictFile {
public:
    explicit StateDictFile(const std::filesystem::path& path)
        : m_name(path.filename().string()), m_file(MappedFile::open(path)),
          m_members(model::readZipDirectory(m_file.bytes(), m_name))
    {
    }

    c10::IValue read()
    {
        const std::string root = rootFolder();
        if (const auto order = m_members.find(root + "byteorder"); order != m_members.end())
            if (order->second.size() == 3)  // "big"
                fail(ErrorCode::Unsupported,
                     m_name + " was written on a big-endian machine; save it as safetensors.");

        const std::string pickle = model::toTorchPickle(m_members.at(root + "data.pkl"), m_name);
        std::size_t position = 0;
        const auto readPickle = [&](char* to, std::size_t wanted) {
            const std::size_t length = std::min(wanted, pickle.size() - position);
            std::copy_n(pickle.data() + position, length, to);
            position += length;
            return length;
        };
        const auto readRecord = [&](const std::string& record) {
            const auto member = m_members.find(root + "data/" + record);
            if (member == m_members.end())
                fail(ErrorCode::BadFile,
                     m_name + " lacks the storage " + quotedName(record) + "; fetch it again.");
            const std::span<const std::byte> bytes = member->second;
            m_storageSizes[bytes.data()] = bytes.size();
            return at::DataPtr(const_cast<std::byte*>(bytes.data()), at::kCPU);
        };
        try {
            return torch::jit::Unpickler(readPickle, nullptr, nullptr, readRecord, at::Device(at::kCPU))
                .parse_ivalue();
        } catch (const Failure&) {
            throw;
        } catch (const std::bad_alloc&) {
            throw;
        } catch (const std::exception& error) {  // libtorch's and the standard library's
            model::refusePickle(m_name, "a kind of object that libtorch does not know", error.what());
        }
    }

    /// The pickle says what a tensor spans: checks it against the bytes that exist.
    void requireInside(const at::Tensor& tensor, const std::string& name) const
    {
        const auto refuse = [&]() {
            fail(ErrorCode::BadFile, "The tensor " + quotedName(name) + " of " + m_name +
                                         " reaches beyond its storage; fetch the file again.");
        };
        if (tensor.layout() != at::kStrided || !tensor.device().is_cpu())
            refuse();
        const auto storage = m_storageSizes.find(static_cast<const std::byte*>(tensor.storage().data()));
        const std::optional<std::uint64_t> bytes = model::tensorBytes(model::DType::F64, tensor.sizes());
        if (!bytes)  // a negative size, or a product that overflows in libtorch
            refuse();
        if (*bytes == 0)
            return;
        if (storage == m_storageSizes.end() || tensor.storage().nbytes() > storage->second ||
            tensor.storage_offset() < 0)
            refuse();
        // 128-bit sums: sizes and strides come from the file and are not to be trusted.
        __extension__ using Wide = __int128;
        Wide last = tensor.storage_offset();
        for (std::int64_t dim = 0; dim < tensor.dim(); ++dim) {
            if (tensor.stride(dim) < 0)
                refuse();
            last += static_cast<Wide>(tensor.size(dim) - 1) * tensor.stride(dim);
        }
        if ((last + 1) * static_cast<Wide>(tensor.itemsize()) > static_cast<Wide>(storage->second))
            refuse();
    }

    void release(const at::Tensor& tensor) const
    {
        const auto* const data = static_cast<const std::byte*>(tensor.storage().data());
        if (const auto storage = m_storageSizes.find(data); storage != m_storageSizes.end())
            m_file.release(static_cast<std::uint64_t>(data - m_file.bytes().data()), storage->second);
    }

    void requireUnchanged() const { m_file.requireUnchanged(); }

private:
    std::string rootFolder() const
    {
        for (const auto& [name, bytes] : m_members)
            if (name.ends_with("/data.pkl") && name.find('/') + 9 == name.size())
                return name.substr(0, name.size() - 8);
        fail(ErrorCode::BadFile, m_name + " is a zip file but not one of torch.save; give a state dict.");
    }

    std::string m_name;
    MappedFile m_file;
    std::map<std::string, std::span<const std::byte>> m_members;
    std::map<const std::byte*, std::size_t> m_storageSizes;
};

using Dict = c10::impl::GenericDict;

/// A dictionary, with or without the attributes that the dialect puts beside it.
std::optional<Dict> asDict(const c10::IValue& value)
{
    if (value.isGenericDict())
        return value.toGenericDict();
    if (value.isTuple() && value.toTupleRef().elements().size() == 2)
        return asDict(value.toTupleRef().elements()[0]);
    return std::nullopt;
}

bool holdsTensors(const Dict& dict)
{
    for (const auto& entry : dict)
        if (entry.key().isString() && entry.value().isTensor())
            return true;
    return false;
}

class StateDictSource final : public PlainTensorSource {
public:
    explicit StateDictSource(const model::ModelFiles& files)
    {
        for (const std::filesystem::path& path : files.weights) {
            m_files.push_back(std::make_unique<StateDictFile>(path));
            take(m_files.back()->read(), *m_files.back(), path.filename().string());
        }
    }

    std::vector<std::string> names() const override
    {
        std::vector<std::string> names;
        for (const auto& [name, entry] : m_tensors)
            names.push_back(name);
        return names;
    }
    std::vector<std::int64_t> shape(const std::string& name) const override
    {
        return m_tensors.at(name).tensor.sizes().vec();
    }
    model::DType dtype(const std::string& name) const override
    {
        return fromTorchType(m_tensors.at(name).tensor.scalar_type(), "The tensor \"" + name + "\"");
    }
    at::Tensor tensor(const std::string& name) override { return m_tensors.at(name).tensor; }
    void release(const std::string& name) override
    {
        const Entry& entry = m_tensors.at(name);
        entry.file->release(entry.tensor);
    }
    void requireUnchanged() const override
    {
        for (const auto& file : m_files)
            file->requireUnchanged();
    }
    Json config() const override { return m_config; }

private:
    struct Entry {
        at::Tensor tensor;
        const StateDictFile* file;
    };

    void take(const c10::IValue& value, const StateDictFile& file, const std::string& fileName)
    {
        const std::optional<Dict> dict = asDict(value);
        if (!dict)
            fail(ErrorCode::BadFile, fileName + " does not hold a state dict; save one with "
                                                "torch.save(model.state_dict(), \"model.pth\").");
        const Dict& top = *dict;
        readModelArgs(top);
        // Wrappers first: a training checkpoint may keep a stray tensor beside the weights.
        for (const char* key : {"model", "state_dict", "model_state_dict"}) {
            const auto found = top.find(std::string(key));
            const std::optional<Dict> inner = found == top.end() ? std::nullopt : asDict(found->value());
            if (inner && holdsTensors(*inner)) {
                takeTensors(*inner, file);
                return;
            }
        }
        if (holdsTensors(top)) {
            takeTensors(top, file);
            return;
        }
        fail(ErrorCode::BadFile, fileName + " holds no tensors; give a state dict.");
    }

    void takeTensors(const Dict& dict, const StateDictFile& file)
    {
        for (const auto& entry : dict) {
            if (!entry.key().isString() || !entry.value().isTensor())
                continue;
            const std::string name = entry.key().toStringRef();
            const at::Tensor tensor = entry.value().toTensor();
            if (!tensor.defined())
                continue;
            file.requireInside(tensor, name);
            m_tensors[name] = {tensor, &file};
        }
    }

    /// nanoGPT keeps its sizes beside the weights.
    void readModelArgs(const Dict& top)
    {
        const auto found = top.find(std::string("model_args"));
        const std::optional<Dict> arguments = found == top.end() ? std::nullopt : asDict(found->value());
        if (!arguments)
            return;
        for (const auto& argument : *arguments) {
            if (!argument.key().isString())
                continue;
            if (argument.value().isInt())
                m_config[argument.key().toStringRef()] = argument.value().toInt();
            else if (argument.value().isBool())
                m_config[argument.key().toStringRef()] = argument.value().toBool();
        }
    }

    std::vector<std::unique_ptr<StateDictFile>> m_files;
    std::map<std::string, Entry> m_tensors;
    Json m_config = Json::object();
};

}  // namespace

std::unique_ptr<PlainTensorSource> openStateDict(const model::ModelFiles& files)
{
    return std::make_unique<StateDictSource>(files);
}

}  // namespace hs::engine
