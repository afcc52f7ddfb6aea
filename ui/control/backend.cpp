#include "control/backend.h"

namespace hs {

bool SideRequest::hasSameInput(const SideRequest& other) const
{
    return model == other.model && prompt == other.prompt && hasBos == other.hasBos;
}

}  // namespace hs
