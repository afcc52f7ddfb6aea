#pragma once

#include <QString>

#include <vector>

namespace hs::panels {

class MetricsModel;
class MetricsOrder;

/// The given columns of the given rows, in that order, after a line of names: numbers in machine-readable
/// form, nothing where there is none. `separator` is put between fields.
QString metricsText(const MetricsModel& model, const MetricsOrder& order, const std::vector<int>& rows,
                    const std::vector<int>& columns, QChar separator);

}  // namespace hs::panels
