#pragma once

#include "base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace hs::figures {

/// One column of numbers; a NaN is a value that is not there.
struct DataColumn {
    std::string name;
    std::vector<double> values;
};

/// The numbers behind a figure: columns of equal length. `panel` 0 is the left or upper model.
struct DataTable {
    std::vector<DataColumn> columns;
};

/// Writes a .csv (one line a row) or an .npz (one array a column), by suffix, whole or not at all,
/// and gives the path back.
Result<std::filesystem::path> writeTable(const DataTable& table, const std::filesystem::path& file);

}  // namespace hs::figures
