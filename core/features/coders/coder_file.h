#pragma once

#include "features/coders/coder_plan.h"
#include "maps/array_file.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hs::features {

/// A file with tensors of a set of transcoders. Cheap to copy; views of it keep it mapped.
class CoderFile {
public:
    /// Throws Failure; explains why pickles are not opened.
    static CoderFile open(const std::filesystem::path& file);

    const std::filesystem::path& path() const { return m_path; }
    bool has(std::string_view tensor) const { return m_arrays->has(tensor); }
    std::vector<std::string> names() const { return m_arrays->names(); }

    /// A tensor of that many axes whose extents are positive. Throws Failure where it is absent or of another form.
    MatrixView tensor(const std::string& name, std::size_t axes) const;
    /// [rows, columns], or stored the other way round.
    MatrixView matrix(const std::string& name, bool isTransposed = false) const;
    MatrixView vector(const std::string& name) const;
    /// A vector, or one number that stands for `rows` of them.
    MatrixView vectorOf(const std::string& name, std::int64_t rows) const;
    /// The only number of a tensor, whole or not.
    double number(const std::string& name) const;

private:
    std::filesystem::path m_path;
    std::shared_ptr<const maps::ArrayFile> m_arrays;
};

/// One extent of the tensor that a view is of.
inline std::int64_t extent(const MatrixView& view, std::size_t axis)
{
    return view.array.shape[axis];
}

/// Of counts in a file that is not trusted: -1 where it overflows, which no sound plan has.
inline std::int64_t productOf(std::int64_t left, std::int64_t right)
{
    std::int64_t product = 0;
    return __builtin_mul_overflow(left, right, &product) ? -1 : product;
}

/// Whether all numbers of a view's array are this one.
bool isAll(const MatrixView& view, float value);

}  // namespace hs::features
