#include "service/side_request.h"

namespace hs::service {

bool SideRequest::hasSameInput(const SideRequest& other) const
{
    return model == other.model && prompt == other.prompt && tokenIds == other.tokenIds &&
           hasBos == other.hasBos;
}

}  // namespace hs::service
