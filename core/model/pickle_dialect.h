#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace hs::model {

/// Prepares the pickle of a torch.save file for libtorch's restricted unpickler, which trusts its
/// stack and reads less than Python writes. Every opcode is checked to be one that state dicts need
/// and to find its operands; single items (SETITEM, APPEND) become lists of one, an OrderedDict a
/// dict, and an object with attributes (BUILD) the tuple (object, attributes). Throws Failure; `what`
/// names the file.
std::string toTorchPickle(std::span<const std::byte> pickle, const std::string& what);

/// Refuses a file that holds what no state dict needs; `why` says what.
[[noreturn]] void refusePickle(const std::string& what, const std::string& why, std::string detail = {});

}  // namespace hs::model
