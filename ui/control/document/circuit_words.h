#pragma once

#include "analyses/circuit.h"

#include <QString>

namespace hs::control {

/// "heads", "heads and MLPs", "edges" or "paths".
QString unitWords(analyses::CircuitUnits units);

}  // namespace hs::control
