#pragma once

#include <QString>

#include <vector>

namespace hs::panels {

class MetricsModel;
class MetricsOrder;

/// The given columns of the given rows, in that order, with a line of names: numbers as programs
/// read them, nothing where there is none. `separator` stands between fields.
QString metricsText(const MetricsModel& model, const MetricsOrder& order, const std::vector<int>& rows,
                    const std::vector<int>& columns, QChar separator);

}  // namespace hs::panels
