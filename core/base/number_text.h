#pragma once

#include <string>

namespace hs {

/// The shortest decimal that reads back as the same number: "0.1", "2".
std::string numberText(double value);

}  // namespace hs
