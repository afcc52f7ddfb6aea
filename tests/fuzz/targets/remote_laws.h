#pragma once

#include "remote/message.h"

#include <functional>
#include <string_view>

namespace hs::fuzz {

/// Laws of what one end of a line reads, whatever the other one sends: each message is handed on, and what is
/// refused has a sentence. An input that begins with 'm' is a script from which well-formed frames are made, so
/// that trees and arrays are reached; any other is read as it is.
void checkMessages(remote::End end, std::string_view input,
                   const std::function<void(const remote::Message&)>& take);

}  // namespace hs::fuzz
