#pragma once

#include "text/chat.h"
#include "text/chat_template.h"

#include <string>
#include <vector>

namespace hs::text {

/// A chat as the text that a model reads, in pieces: what the template says, and what the messages say.
struct ChatText {
    struct Piece {
        std::string text;
        TokenRole role = TokenRole::Frame;
        int message = -1;  // that it belongs to, the answer to come included; -1: none
    };

    std::vector<Piece> pieces;
    std::vector<std::string> notes;  // what the user should know

    std::string text() const;
};

/// Puts the messages into the template's frames. An answer is begun unless the last message is one. Throws a Failure
/// for chats that the template has no form for.
ChatText chatText(const Chat& chat, const ChatTemplate& form, bool hasBegin = true);

}  // namespace hs::text
