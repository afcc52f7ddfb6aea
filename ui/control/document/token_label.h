#pragma once

#include <QString>

#include <string>

namespace hs::control {

/// A token's text in readable form: a leading space is a middle dot, line ends and tabs are symbols,
/// bytes that are not UTF-8 are written as \xE2. Never empty.
QString tokenLabel(const std::string& text);

}  // namespace hs::control
