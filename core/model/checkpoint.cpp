#include "model/checkpoint.h"

#include "base/failure.h"
#include "base/untrusted_text.h"
#include "model/hub_cache.h"
#include "model/weights_file.h"

#include <algorithm>

namespace hs::model {
namespace {

bool isAdapterTensor(std::string_view name)
{
    return name.find(".lora_A.") != std::string_view::npos || name.find(".lora_B.") != std::string_view::npos;
}

}  // namespace

SafetensorsCheckpoint SafetensorsCheckpoint::open(const ModelFiles& files)
{
    SafetensorsCheckpoint checkpoint;
    for (const std::filesystem::path& weights : files.weights)
        checkpoint.m_files.push_back(SafetensorsFile::open(weights));
    for (std::size_t file = 0; file < checkpoint.m_files.size(); ++file)
        for (const TensorInfo& tensor : checkpoint.m_files[file].tensors())
            checkpoint.m_entries.push_back({&tensor, file});
    std::ranges::sort(checkpoint.m_entries, {},
                      [](const Entry& entry) { return std::string_view(entry.tensor->name); });
    checkpoint.checkAgainst(files);
    return checkpoint;
}

void SafetensorsCheckpoint::checkAgainst(const ModelFiles& files) const
{
    const auto nameOf = [](const Entry& entry) { return std::string_view(entry.tensor->name); };
    if (!files.isAdapter && std::ranges::any_of(m_entries, isAdapterTensor, nameOf))
        refuseAdapter(files.weights.size() == 1 ? files.weights.front() : files.folder);

    const auto twin = std::ranges::adjacent_find(m_entries, {}, nameOf);
    if (twin != m_entries.end())
        fail(ErrorCode::BadFile, "Tensor " + quotedName(nameOf(*twin)) + " is in two weights files of " +
                                     files.folder.string() + "; " + downloadRemedy(files.folder) + ".");

    std::vector<std::string> missing;
    for (const auto& [name, shard] : files.shardOf) {
        const Entry* const entry = entryOf(name);
        if (!entry || m_files[entry->file].path().filename() != shard)
            missing.push_back(name);
    }
    if (!missing.empty())
        fail(ErrorCode::BadFile, "The weights files of " + files.folder.string() + " lack " +
                                     std::to_string(missing.size()) + " tensors that their index names, " +
                                     quotedNames(missing) + "; " + downloadRemedy(files.folder) + ".");
}

const SafetensorsCheckpoint::Entry* SafetensorsCheckpoint::entryOf(std::string_view name) const
{
    const auto nameOf = [](const Entry& entry) { return std::string_view(entry.tensor->name); };
    const auto found = std::ranges::lower_bound(m_entries, name, {}, nameOf);
    return found != m_entries.end() && nameOf(*found) == name ? &*found : nullptr;
}

const SafetensorsCheckpoint::Entry& SafetensorsCheckpoint::requireEntry(std::string_view name) const
{
    const Entry* const entry = entryOf(name);
    if (!entry)
        fail(ErrorCode::BadFile,
             "The weights hold no tensor " + quotedName(name) + "; check that they belong to config.json.");
    return *entry;
}

const TensorInfo* SafetensorsCheckpoint::find(std::string_view name) const
{
    const Entry* const entry = entryOf(name);
    return entry ? entry->tensor : nullptr;
}

std::vector<std::string_view> SafetensorsCheckpoint::names() const
{
    std::vector<std::string_view> names;
    names.reserve(m_entries.size());
    for (const Entry& entry : m_entries)
        names.push_back(entry.tensor->name);
    return names;
}

std::span<const std::byte> SafetensorsCheckpoint::bytes(std::string_view name) const
{
    const Entry& entry = requireEntry(name);
    return m_files[entry.file].bytes(*entry.tensor);
}

void SafetensorsCheckpoint::release(std::string_view name) const
{
    const Entry& entry = requireEntry(name);
    m_files[entry.file].release(*entry.tensor);
}

bool SafetensorsCheckpoint::staysUnchanged() const
{
    return std::ranges::all_of(
        m_files, [](const SafetensorsFile& file) { return file.metadata().contains(kUnchanging); });
}

void SafetensorsCheckpoint::requireUnchanged() const
{
    for (const SafetensorsFile& file : m_files)
        file.requireUnchanged();
}

}  // namespace hs::model
