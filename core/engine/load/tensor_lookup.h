#pragma once

#include "model/dtype.h"
#include "model/weight_plan.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace hs::engine {

class TensorSource;

/// A checkpoint's tensors under their bare names, whatever prefix the file gives them.
class TensorLookup {
public:
    /// Throws Failure when two tensors share a bare name.
    explicit TensorLookup(TensorSource& source);

    TensorSource& source() const { return m_source; }
    bool contains(const std::string& bareName) const { return m_fileNames.count(bareName) > 0; }
    const std::string& fileName(const std::string& bareName) const { return m_fileNames.at(bareName); }
    std::vector<std::int64_t> shape(const std::string& bareName) const;  // empty when it is missing

    /// Throws a Failure that lists what is missing, or shows a wrong shape beside the expected one.
    void requireAll(const std::vector<model::PlannedTensor>& plan) const;

    /// Bare names that the plan does not use and that are not mere buffers.
    std::vector<std::string> unused(const std::vector<model::PlannedTensor>& plan) const;

private:
    TensorSource& m_source;
    std::map<std::string, std::string> m_fileNames;
};

/// "a, b, c and 12 more".
std::string listSome(const std::vector<std::string>& names);

}  // namespace hs::engine
