#include "service/side_request.h"

#include "base/failure.h"
#include "text/chat.h"

namespace hs::service {

bool SideRequest::hasSameInput(const SideRequest& other) const
{
    if (model == other.model && model && model->maps)
        return true;
    return model == other.model && prompt == other.prompt && isChat == other.isChat &&
           tokenIds == other.tokenIds && hasBos == other.hasBos && generated == other.generated &&
           view == other.view && blocks == other.blocks;
}

SideRequest withPrompt(SideRequest request, const std::string& prompt)
{
    request.tokenIds.clear();
    request.view.reset();
    if (!request.isChat) {
        request.prompt = prompt;
        return request;
    }
    text::Chat chat = orThrow(text::parseChat(request.prompt, "The chat"));
    text::ChatMessage* const last = text::lastOfUser(chat);
    if (!last)
        fail(ErrorCode::BadRequest,
             "The chat has no message of the user that another one could stand for; add one.");
    last->content = prompt;
    request.prompt = text::chatJson(chat);
    return request;
}

}  // namespace hs::service
