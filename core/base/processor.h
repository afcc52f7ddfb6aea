#pragma once

namespace hs {

/// Cores that this thread may run on. Two processors that share a core are one: what computes gains nothing by using both.
int allowedCores();

}  // namespace hs
