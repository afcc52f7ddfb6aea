#pragma once

namespace hs::figures {

/// The largest length up to `most` that fits, to a fraction of a point; 1 if none does.
template <class Fits>
double largestFitting(double most, const Fits& fits)
{
    if (fits(most))
        return most;
    double low = 1, high = most;
    for (int round = 0; round < 24; ++round)
        (fits((low + high) / 2) ? low : high) = (low + high) / 2;
    return low;
}

}  // namespace hs::figures
