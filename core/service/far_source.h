#pragma once

#include <optional>
#include <string>

namespace hs::service {

/// A model on another machine: "ssh://user@gpu/SOURCE", where SOURCE is what one would type there, so that an
/// absolute path makes two slashes: "ssh://gpu//models/olmo".
struct FarSource {
    std::string host;    // as ssh takes it
    std::string source;  // over there
};

/// None for a model of this machine.
std::optional<FarSource> farSource(const std::string& source);
std::string toString(const FarSource& far);

/// The source as the machine that has it calls it.
std::string sourceThere(const std::string& source);

}  // namespace hs::service
