#pragma once

#include <optional>
#include <string_view>

namespace hs::model {

/// What a class in a pickle stands for in a state dict.
enum class PickleClass {
    OrderedDict,
    StorageType,  // torch.FloatStorage: says how a storage's bytes are read
    Function,     // makes a value from its arguments
};

/// The class by the name a pickle gives it, "module\nname\n"; none for one that no state dict needs.
/// libtorch knows more, some of which parse texts or contact other machines.
std::optional<PickleClass> pickleClass(std::string_view name);

}  // namespace hs::model
