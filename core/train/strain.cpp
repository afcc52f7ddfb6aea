#include "train/strain.h"

#include "train/price_control.h"

#include <algorithm>
#include <cmath>

namespace hs::train {

std::vector<double> excessOf(const SparsityOptions& options, const HeldOutMeasure& measure,
                             const HeldOutMeasure& dense)
{
    std::vector<double> excess;
    for (std::size_t group = 0; group < measure.groups.size(); ++group)
        excess.push_back(options.divergenceWeight > 0
                             ? measure.groups[group].divergence
                             : measure.groups[group].crossEntropy - dense.groups[group].crossEntropy);
    return excess;
}

double strainOf(const SparsityOptions& options, const HeldOutMeasure& measure, const HeldOutMeasure& dense)
{
    std::vector<double> strains = excessOf(options, measure, dense);
    for (double& strain : strains)
        strain /= options.tolerance;
    double worstScore = 0;
    for (std::size_t group = 0; group < measure.groups.size(); ++group)
        if (measure.groups[group].answers > 0)
            worstScore = std::max(worstScore, (dense.groups[group].score - measure.groups[group].score) /
                                                  options.scoreTolerance);
    return std::max(joined(options, strains), worstScore);
}

double meanOf(const std::vector<double>& values)
{
    double sum = 0;
    int count = 0;
    for (const double value : values)
        if (!std::isnan(value)) {
            sum += value;
            ++count;
        }
    return count > 0 ? sum / count : 0;
}

}  // namespace hs::train
