#include "engine/load/adapter_shelf.h"

#include "base/failure.h"
#include "model/adapter/adapter_files.h"
#include "model/fingerprint.h"

#include <algorithm>

namespace hs::engine {
namespace {

constexpr std::size_t kMostKept = 8;

bool isOf(const Adapter& adapter, const model::AdapterFiles& files, const std::string& fingerprint)
{
    std::error_code ignored;
    return adapter.facts().fingerprint == fingerprint &&
           std::filesystem::equivalent(adapter.facts().folder, files.folder, ignored);
}

}  // namespace

AdapterUses AdapterShelf::chosen(std::span<const AdapterChoice> choices) const
{
    AdapterUses uses;
    if (m_own)
        uses.push_back({m_own, 1});
    for (const AdapterChoice& choice : choices) {
        std::shared_ptr<const Adapter> adapter = opened(choice.folder);
        const auto known = std::ranges::find(uses, adapter, &AdapterUse::adapter);
        if (known != uses.end())
            known->strength = choice.strength;
        else
            uses.push_back({std::move(adapter), choice.strength});
    }
    return uses;
}

std::shared_ptr<const Adapter> AdapterShelf::opened(const std::string& folder) const
{
    const model::AdapterFiles files = orThrow(model::locateAdapter(folder));
    const std::string fingerprint = model::fingerprintOf(files.weights);
    if (m_own && isOf(*m_own, files, fingerprint))
        return m_own;
    const std::scoped_lock lock(m_mutex);
    const auto known = std::ranges::find_if(
        m_latest, [&](const auto& adapter) { return isOf(*adapter, files, fingerprint); });
    std::shared_ptr<const Adapter> adapter =
        known != m_latest.end() ? *known : orThrow(loadAdapter(files, *m_base));
    if (known != m_latest.end())
        m_latest.erase(known);
    m_latest.push_front(adapter);
    if (m_latest.size() > kMostKept)
        m_latest.pop_back();
    return adapter;
}

}  // namespace hs::engine
