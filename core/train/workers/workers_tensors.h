#pragma once

#include "train/workers/workers.h"

#include <ATen/ATen.h>

#include <functional>
#include <stdexcept>

namespace hs::train {

/// Some consecutive rows of a batch.
struct RowRange {
    int first = 0;
    int count = 0;
};

/// A worker ended, or no longer answers.
class WorkerLost : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Those that train one model together, each with a share of every batch. All of them call the same methods
/// in the same order and get the same bits; for one alone they do nothing. Throw WorkerLost.
class Workers {
public:
    Workers();  // one alone
    Workers(const WorkerPlace& place, at::Device device, const Patience& patience);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    int count() const { return m_place.count; }
    int rank() const { return m_place.rank; }
    bool isFirst() const { return m_place.isFirst(); }
    bool isGroup() const { return m_group != nullptr; }

    /// The rows of a batch that are this worker's; none where there are more workers than rows.
    RowRange shareOf(int rows) const;

    using Wait = std::function<void()>;
    /// Starts to sum a tensor over all workers, in place; it is done when Wait returns.
    Wait startSum(const at::Tensor& tensor) const;
    void sum(const at::Tensor& tensor) const { startSum(tensor)(); }
    void most(const at::Tensor& tensor) const;  // the largest over all workers, in place

    bool any(bool wish) const;
    bool isSame(std::int64_t number) const;  // for all workers

    /// Whether the first worker lives; never throws.
    bool reachesFirst() const;

private:
    struct Group;

    WorkerPlace m_place;
    std::unique_ptr<Group> m_group;
};

}  // namespace hs::train
