#pragma once

#include "engine/load/adapter.h"
#include "engine/request/adapter_choice.h"
#include "engine/request/run_request.h"

#include <deque>
#include <memory>
#include <mutex>
#include <span>

namespace hs::engine {

/// The adapters of an open model: those used lately are kept, so that a step of a strength reads nothing. May be used by
/// several threads.
class AdapterShelf {
public:
    /// `own`: of a model that was opened as the folder of its adapter; may be null. Such an adapter is in every run at
    /// full strength unless a choice names it.
    explicit AdapterShelf(std::shared_ptr<const Model> base, std::shared_ptr<const Adapter> own = nullptr)
        : m_base(std::move(base)), m_own(std::move(own))
    {
    }

    const std::shared_ptr<const Adapter>& own() const { return m_own; }

    /// What the choices mean; of several of one folder the last one counts. Throws Failure.
    AdapterUses chosen(std::span<const AdapterChoice> choices) const;

private:
    std::shared_ptr<const Adapter> opened(const std::string& folder) const;

    std::shared_ptr<const Model> m_base;
    std::shared_ptr<const Adapter> m_own;
    mutable std::mutex m_mutex;
    mutable std::deque<std::shared_ptr<const Adapter>> m_latest;  // the newest first
};

}  // namespace hs::engine
