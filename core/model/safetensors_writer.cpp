#include "model/safetensors_writer.h"

#include "base/failure.h"
#include "base/json.h"
#include "base/text_format.h"
#include "base/untrusted_text.h"
#include "model/safetensors_header.h"

#include <algorithm>
#include <utility>

namespace hs::model {
namespace {

/// Gives every tensor its place, counted from the data area. Wide elements come first, which keeps
/// each tensor aligned for readers that cast.
std::vector<TensorInfo> layOut(std::vector<TensorSpec> specs)
{
    std::ranges::stable_sort(specs, std::greater(),
                             [](const TensorSpec& spec) { return byteSize(spec.dtype); });
    std::vector<TensorInfo> tensors;
    std::uint64_t end = 0;
    for (TensorSpec& spec : specs) {
        const auto bytes = tensorBytes(spec.dtype, spec.shape);
        const std::uint64_t begin = end;
        if (!bytes || __builtin_add_overflow(end, *bytes, &end))
            fail(ErrorCode::BadRequest, "Tensor " + quotedName(spec.name) + " of shape " +
                                            formatShape(spec.shape) +
                                            " is too large for any file; check its shape.");
        tensors.push_back({std::move(spec.name), spec.dtype, std::move(spec.shape), begin, *bytes});
    }
    if (const auto twin = repeatedName(tensors))
        fail(ErrorCode::BadRequest,
             "Two tensors are called " + quotedName(*twin) + "; give each its own name.");
    return tensors;
}

std::string headerOf(const std::vector<TensorInfo>& tensors,
                     const std::map<std::string, std::string>& metadata)
{
    nlohmann::ordered_json header = nlohmann::ordered_json::object();
    if (!metadata.empty())
        header["__metadata__"] = metadata;
    for (const TensorInfo& tensor : tensors)
        header[tensor.name] = {{"dtype", name(tensor.dtype)},
                               {"shape", tensor.shape},
                               {"data_offsets", {tensor.offset, tensor.offset + tensor.bytes}}};
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');  // so that the data begins aligned
    if (text.size() > kSafetensorsLongestHeader)
        fail(ErrorCode::TooLarge, "There are too many tensors for one file; save fewer of them.");
    return text;
}

}  // namespace

SafetensorsWriter::SafetensorsWriter(AtomicFile file, std::vector<TensorInfo> tensors)
    : m_file(std::move(file)), m_tensors(std::move(tensors)), m_isWritten(m_tensors.size(), false)
{
    std::ranges::sort(m_tensors, {}, &TensorInfo::name);
}

SafetensorsWriter SafetensorsWriter::create(const std::filesystem::path& file, std::vector<TensorSpec> specs,
                                            const std::map<std::string, std::string>& metadata)
{
    std::vector<TensorInfo> tensors = layOut(std::move(specs));
    const std::string header = headerOf(tensors, metadata);
    const std::uint64_t length = header.size();
    for (TensorInfo& tensor : tensors)
        tensor.offset += kSafetensorsLengthBytes + length;

    AtomicFile output = AtomicFile::create(file);
    output.writeAt(0, std::as_bytes(std::span(&length, 1)));
    output.writeAt(kSafetensorsLengthBytes, std::as_bytes(std::span(header)));
    return SafetensorsWriter(std::move(output), std::move(tensors));
}

void SafetensorsWriter::write(std::string_view name, std::span<const std::byte> bytes)
{
    const auto tensor = std::ranges::lower_bound(m_tensors, name, {}, &TensorInfo::name);
    if (tensor == m_tensors.end() || tensor->name != name)
        fail(ErrorCode::Internal, "Tensor " + quotedName(name) + " was not announced; please report this.");
    if (bytes.size() != tensor->bytes)
        fail(ErrorCode::Internal, "Tensor " + quotedName(name) + " was announced with " +
                                      formatBytes(tensor->bytes) + " and came with " +
                                      formatBytes(bytes.size()) + "; please report this.");
    m_file.writeAt(tensor->offset, bytes);
    m_isWritten[static_cast<std::size_t>(tensor - m_tensors.begin())] = true;
}

void SafetensorsWriter::finish()
{
    const auto missing = std::ranges::find(m_isWritten, false);
    if (missing != m_isWritten.end())
        fail(ErrorCode::Internal,
             "Tensor " + quotedName(m_tensors[static_cast<std::size_t>(missing - m_isWritten.begin())].name) +
                 " was never written; please report this.");
    m_file.commit();
}

}  // namespace hs::model
