#pragma once

#include "base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace hs::figures {

/// One column of numbers; NaN is a missing value.
struct DataColumn {
    std::string name;
    std::vector<double> values;
};

/// The numbers behind a figure: columns of equal length. `panel` 0 is the left or upper model.
struct DataTable {
    std::vector<DataColumn> columns;
};

/// Writes a .csv (one line per row) or an .npz (one array per column), by suffix, completely or not at
/// all, and returns the path.
Result<std::filesystem::path> writeTable(const DataTable& table, const std::filesystem::path& file);

}  // namespace hs::figures
