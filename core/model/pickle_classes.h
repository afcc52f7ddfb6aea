#pragma once

#include <optional>
#include <string_view>

namespace hs::model {

/// What a class of a pickle stands for in a state dict.
enum class PickleClass {
    OrderedDict,
    StorageType,  // torch.FloatStorage: says how a storage's bytes are read
    Function,     // makes a value of its arguments
};

/// Classes under the name a pickle gives them, "module\nname\n"; none for any that no state dict
/// needs. libtorch knows more, some of which parse texts or ask other machines.
std::optional<PickleClass> pickleClass(std::string_view name);

}  // namespace hs::model
