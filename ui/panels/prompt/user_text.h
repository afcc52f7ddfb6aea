#pragma once

#include "control/document/document.h"

namespace hs::panels {

/// What a user would type again to change a prompt: its text, or the user's last message in a chat.
QString userText(const control::Prompt& prompt);

/// The same prompt with another such text.
control::Prompt withUserText(control::Prompt prompt, const QString& text);

}  // namespace hs::panels
