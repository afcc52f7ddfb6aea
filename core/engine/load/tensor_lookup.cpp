#include "engine/load/tensor_lookup.h"

#include "base/failure.h"
#include "base/text_format.h"
#include "engine/load/tensor_source_tensors.h"

namespace hs::engine {
namespace {

/// Masks and frequencies that old checkpoints carry along and every reader computes itself.
bool isBuffer(const std::string& name)
{
    return name.ends_with(".attn.bias") || name.ends_with(".masked_bias") ||
           name.ends_with(".attention.bias") || name.ends_with("rotary_emb.inv_freq");
}

}  // namespace

TensorLookup::TensorLookup(TensorSource& source) : m_source(source)
{
    for (const std::string& fileName : source.names()) {
        const auto [entry, isNew] = m_fileNames.emplace(model::bareTensorName(fileName), fileName);
        if (!isNew)
            fail(ErrorCode::BadFile, "The checkpoint holds both \"" + entry->second + "\" and \"" + fileName +
                                         "\", which mean the same; keep one of them.");
    }
}

std::vector<std::int64_t> TensorLookup::shape(const std::string& bareName) const
{
    const auto at = m_fileNames.find(bareName);
    return at == m_fileNames.end() ? std::vector<std::int64_t>() : m_source.shape(at->second);
}

void TensorLookup::requireAll(const std::vector<model::PlannedTensor>& plan) const
{
    std::vector<std::string> missing;
    for (const model::PlannedTensor& planned : plan)
        for (const model::PlannedPart& part : planned.parts)
            if (!contains(part.name))
                missing.push_back(part.name);
    if (!missing.empty())
        fail(ErrorCode::BadFile, "The checkpoint lacks " + std::to_string(missing.size()) +
                                     " tensors: " + listSome(missing) +
                                     "; fetch it again or check that config.json belongs to it.");

    for (const model::PlannedTensor& planned : plan) {
        for (const model::PlannedPart& part : planned.parts) {
            const std::vector<std::int64_t> found = shape(part.name);
            if (found != part.shape)
                fail(ErrorCode::BadFile, "The tensor \"" + fileName(part.name) + "\" has the shape " +
                                             formatShape(found) + ", but config.json asks for " +
                                             formatShape(part.shape) +
                                             "; check that the two belong together.");
            const model::DType type = m_source.dtype(fileName(part.name));
            if (type != model::DType::F32 && type != model::DType::F16 && type != model::DType::BF16 &&
                type != model::DType::F64)
                fail(ErrorCode::Unsupported, "The tensor \"" + fileName(part.name) + "\" holds " +
                                                 std::string(model::name(type)) +
                                                 " numbers; use a checkpoint in F32, F16 or BF16.");
        }
    }
}

std::vector<std::string> TensorLookup::unused(const std::vector<model::PlannedTensor>& plan) const
{
    std::set<std::string> used;
    for (const model::PlannedTensor& planned : plan)
        for (const model::PlannedPart& part : planned.parts)
            used.insert(part.name);
    std::vector<std::string> rest;
    for (const auto& [bareName, fileName] : m_fileNames)
        if (!used.count(bareName) && !isBuffer(bareName))
            rest.push_back(fileName);
    return rest;
}

std::string listSome(const std::vector<std::string>& names)
{
    static constexpr std::size_t kShown = 6;
    std::string list;
    for (std::size_t i = 0; i < names.size() && i < kShown; ++i)
        list += (i > 0 ? ", " : "") + names[i].substr(0, 120);
    if (names.size() > kShown)
        list += " and " + std::to_string(names.size() - kShown) + " more";
    return list;
}

}  // namespace hs::engine
