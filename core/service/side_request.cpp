#include "service/side_request.h"

namespace hs::service {

bool SideRequest::hasSameInput(const SideRequest& other) const
{
    if (model == other.model && model && model->maps)
        return true;
    return model == other.model && prompt == other.prompt && tokenIds == other.tokenIds &&
           hasBos == other.hasBos;
}

}  // namespace hs::service
