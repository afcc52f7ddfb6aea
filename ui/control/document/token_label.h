#pragma once

#include <QString>

#include <string>

namespace hs::control {

/// A token's text as people can read it: a leading space is a middle dot, line ends and tabs are
/// signs, bytes that are no UTF-8 are written \xE2. Never empty.
QString tokenLabel(const std::string& text);

}  // namespace hs::control
