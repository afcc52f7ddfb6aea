#include "control/document/circuit_words.h"

#include "render/translate.h"

namespace hs::control {

QString unitWords(analyses::CircuitUnits units)
{
    switch (units) {
    case analyses::CircuitUnits::Heads: return tr("heads");
    case analyses::CircuitUnits::HeadsAndMlps: return tr("heads and MLPs");
    case analyses::CircuitUnits::Edges: return tr("edges");
    case analyses::CircuitUnits::Paths: break;
    }
    return tr("paths");
}

}  // namespace hs::control
