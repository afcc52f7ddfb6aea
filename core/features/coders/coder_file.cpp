#include "features/coders/coder_file.h"

#include "base/failure.h"
#include "base/text_format.h"
#include "base/untrusted_text.h"
#include "model/file_kind.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace hs::features {
namespace {

bool isPickle(const std::filesystem::path& file)
{
    static constexpr std::array kEndings = {".pt", ".pth", ".bin", ".pkl"};
    return std::ranges::find(kEndings, file.extension().string()) != kEndings.end();
}

}  // namespace

CoderFile CoderFile::open(const std::filesystem::path& file)
{
    if (isPickle(file))
        fail(ErrorCode::Unsupported,
             file.string() +
                 " is a Python pickle, which can run code when it is opened; load it in Python and save "
                 "its tensors with safetensors.");
    CoderFile opened;
    opened.m_path = file;
    if (model::fileKindOf(file) == model::FileKind::LfsPointer)
        fail(ErrorCode::BadFile,
             file.string() + " is a pointer to a file that was not fetched; fetch it with git lfs pull.");
    opened.m_arrays = maps::ArrayFile::open(file);
    return opened;
}

MatrixView CoderFile::tensor(const std::string& name, std::size_t axes) const
{
    if (!m_arrays->has(name))
        fail(ErrorCode::BadFile,
             m_path.string() + " has no tensor " + quotedName(name) + "; download it again.");
    MatrixView view;
    view.name = m_arrays->nameIn(name);
    view.array = m_arrays->array(name);
    const std::vector<std::int64_t>& shape = view.array.shape;
    if (shape.size() != axes || !std::ranges::all_of(shape, [](std::int64_t each) {
            return each > 0 && each <= std::numeric_limits<int>::max();
        }))
        fail(ErrorCode::BadFile, view.name + " is of shape " + formatShape(shape) + " instead of " +
                                     std::to_string(axes) + " axes; download it again.");
    if (!maps::isFloat(view.array.type))
        fail(ErrorCode::BadFile, view.name + " does not hold floating-point numbers; download it again.");
    return view;
}

MatrixView CoderFile::matrix(const std::string& name, bool isTransposed) const
{
    MatrixView view = tensor(name, 2);
    view.rows = extent(view, isTransposed ? 1 : 0);
    view.columns = extent(view, isTransposed ? 0 : 1);
    (isTransposed ? view.columnStride : view.rowStride) = extent(view, 1);
    return view;
}

MatrixView CoderFile::vector(const std::string& name) const
{
    MatrixView view = tensor(name, 1);
    view.rows = extent(view, 0);
    return view;
}

MatrixView CoderFile::vectorOf(const std::string& name, std::int64_t rows) const
{
    if (!m_arrays->has(name) || m_arrays->array(name).elements() != 1)
        return vector(name);
    MatrixView view = tensor(name, m_arrays->array(name).shape.size());
    view.rows = rows;
    view.rowStride = 0;
    return view;
}

double CoderFile::number(const std::string& name) const
{
    const maps::Array array = m_arrays->array(name);
    if (array.elements() != 1)
        fail(ErrorCode::BadFile, m_arrays->nameIn(name) + " should be one number; download the file again.");
    if (!maps::isFloat(array.type))
        return static_cast<double>(m_arrays->numbers(name).front());
    float value = 0;
    if (!maps::readExactly(array, 0, {&value, 1}))
        fail(ErrorCode::BadFile, m_arrays->nameIn(name) + " is not a number; download the file again.");
    return value;
}

bool isAll(const MatrixView& view, float value)
{
    std::array<float, 1024> part{};
    for (std::size_t first = 0; first < view.array.elements(); first += part.size()) {
        const std::span<float> to(part.data(), std::min(part.size(), view.array.elements() - first));
        maps::readExactly(view.array, first, to);
        if (std::ranges::find_if_not(to, [&](float each) { return each == value; }) != to.end())
            return false;
    }
    return true;
}

}  // namespace hs::features
