#include "model/safetensors.h"

#include <algorithm>
#include <numeric>

namespace hs::model {

SafetensorsFile SafetensorsFile::open(const std::filesystem::path& file)
{
    SafetensorsFile opened;
    opened.m_path = file;
    opened.m_mapped = MappedFile::open(file);
    opened.m_header = readSafetensorsHeader(opened.m_mapped.bytes(), file.string());

    const std::vector<TensorInfo>& tensors = opened.m_header.tensors;
    opened.m_byName.resize(tensors.size());
    std::iota(opened.m_byName.begin(), opened.m_byName.end(), std::size_t{0});
    std::ranges::sort(opened.m_byName, {},
                      [&](std::size_t index) { return std::string_view(tensors[index].name); });
    return opened;
}

const TensorInfo* SafetensorsFile::find(std::string_view name) const
{
    const auto nameOf = [this](std::size_t index) { return std::string_view(tensors()[index].name); };
    const auto found = std::ranges::lower_bound(m_byName, name, {}, nameOf);
    return found != m_byName.end() && nameOf(*found) == name ? &tensors()[*found] : nullptr;
}

std::span<const std::byte> SafetensorsFile::bytes(const TensorInfo& tensor) const
{
    return m_mapped.bytes().subspan(tensor.offset, tensor.bytes);
}

void SafetensorsFile::release(const TensorInfo& tensor) const
{
    m_mapped.release(tensor.offset, tensor.bytes);
}

}  // namespace hs::model
