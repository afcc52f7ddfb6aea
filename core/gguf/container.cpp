#include "gguf/container.h"

#include "base/failure.h"
#include "base/untrusted_text.h"

#include <algorithm>
#include <cctype>
#include <cstdio>

namespace hs::gguf {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostParts = 65535;
constexpr std::string_view kEnding = ".gguf";
constexpr std::size_t kSplitEnding = std::string_view("-00001-of-00003.gguf").size();

std::string partName(const std::string& prefix, std::int64_t number, std::int64_t count)
{
    char ending[40];
    std::snprintf(ending, sizeof ending, "-%05d-of-%05d.gguf", static_cast<int>(number),
                  static_cast<int>(count));
    return prefix + ending;
}

std::int64_t splitCount(const Metadata& metadata)
{
    return std::max<std::int64_t>(metadata.integer("split.count", 0, kMostParts).value_or(1), 1);
}

}  // namespace

Container Container::open(const std::vector<fs::path>& files)
{
    Container opened;
    for (const fs::path& file : files) {
        MappedFile mapped = MappedFile::open(file);
        Header header = readHeader(mapped.bytes(), file.string());
        opened.m_parts.push_back({std::move(mapped), std::move(header)});
    }
    for (std::size_t part = 0; part < opened.m_parts.size(); ++part)
        for (const PackedTensor& tensor : opened.m_parts[part].header.tensors)
            if (!opened.m_entries.emplace(tensor.name, Entry{&tensor, part}).second)
                fail(ErrorCode::BadFile, "The tensor " + quotedName(tensor.name) + " is in two parts of " +
                                             opened.name() + "; download them again.");
    opened.checkSplit();
    return opened;
}

void Container::checkSplit() const
{
    if (m_parts.size() == 1)
        return;
    for (std::size_t part = 0; part < m_parts.size(); ++part) {
        const Metadata& keys = m_parts[part].header.metadata;
        const auto number = static_cast<std::int64_t>(part);
        if (splitCount(keys) != static_cast<std::int64_t>(m_parts.size()) ||
            keys.integer("split.no", 0, kMostParts) != number)
            fail(ErrorCode::BadFile, keys.file() + " is not part " + std::to_string(part + 1) + " of " +
                                         std::to_string(m_parts.size()) +
                                         ", as its name says; give every part its original name.");
    }
    const std::int64_t found = static_cast<std::int64_t>(m_entries.size());
    if (metadata().integer("split.tensors.count", 0, INT32_MAX).value_or(found) != found)
        fail(ErrorCode::BadFile, "The parts of " + name() +
                                     " do not hold all tensors together; download "
                                     "them again.");
}

std::vector<const PackedTensor*> Container::tensors() const
{
    std::vector<const PackedTensor*> tensors;
    for (const auto& [name, entry] : m_entries)
        tensors.push_back(entry.tensor);
    return tensors;
}

const PackedTensor* Container::find(std::string_view tensor) const
{
    const auto found = m_entries.find(tensor);
    return found == m_entries.end() ? nullptr : found->second.tensor;
}

std::span<const std::byte> Container::bytes(std::string_view tensor) const
{
    const Entry& entry = m_entries.at(tensor);
    return m_parts[entry.part].mapped.bytes().subspan(entry.tensor->offset, entry.tensor->bytes);
}

void Container::release(std::string_view tensor) const
{
    const Entry& entry = m_entries.at(tensor);
    m_parts[entry.part].mapped.release(entry.tensor->offset, entry.tensor->bytes);
}

void Container::requireUnchanged() const
{
    for (const Part& part : m_parts)
        part.mapped.requireUnchanged();
}

std::string Container::quantisation() const
{
    if (const auto type = metadata().integer("general.file_type", 0, INT32_MAX))
        if (const std::string_view label = fileTypeName(static_cast<std::uint64_t>(*type)); !label.empty())
            return std::string(label);
    std::map<std::string_view, std::int64_t> elements;  // by type
    for (const auto& [name, entry] : m_entries)
        elements[entry.tensor->type->name] += entry.tensor->elements();
    const auto most = std::ranges::max_element(elements, {}, [](const auto& type) { return type.second; });
    return most == elements.end() ? std::string() : std::string(most->first);
}

std::string splitPrefix(std::string_view fileName)
{
    if (fileName.size() <= kSplitEnding || !fileName.ends_with(kEnding))
        return {};
    const std::string_view ending = fileName.substr(fileName.size() - kSplitEnding);
    const auto isNumber = [&](std::size_t at) {
        return std::ranges::all_of(ending.substr(at, 5), [](unsigned char c) { return std::isdigit(c); });
    };
    if (ending[0] != '-' || ending.substr(6, 4) != "-of-" || !isNumber(1) || !isNumber(10))
        return {};
    return std::string(fileName.substr(0, fileName.size() - kSplitEnding));
}

std::vector<fs::path> filesOf(const fs::path& file)
{
    const MappedFile mapped = MappedFile::open(file);
    const Header header = readHeader(mapped.bytes(), file.string());
    const std::int64_t count = splitCount(header.metadata);
    if (count == 1)
        return {file};
    const std::string prefix = splitPrefix(file.filename().string());
    const std::int64_t number = header.metadata.integer("split.no", 0, kMostParts).value_or(0);
    if (prefix.empty())
        fail(ErrorCode::BadFile, file.string() + " is one of " + std::to_string(count) +
                                     " parts of a model; name it NAME" + partName("", number + 1, count) +
                                     " and the others likewise.");
    std::vector<fs::path> files;
    std::vector<std::string> missing;
    for (std::int64_t part = 1; part <= count; ++part) {
        files.push_back(file.parent_path() / partName(prefix, part, count));
        std::error_code ignored;
        if (!fs::exists(files.back(), ignored))
            missing.push_back(files.back().filename().string());
    }
    if (!missing.empty())
        fail(ErrorCode::NotFound, file.string() + " is one of " + std::to_string(count) +
                                      " parts of a model, of which " + quotedNames(missing) +
                                      (missing.size() == 1 ? " is" : " are") +
                                      " missing; download all parts into one folder.");
    return files;
}

}  // namespace hs::gguf
