#include "model/pickle_classes.h"

#include <algorithm>
#include <array>

namespace hs::model {
namespace {

struct KnownClass {
    std::string_view name;
    PickleClass is;
};

constexpr std::array kClasses = {
    KnownClass{"collections\nOrderedDict\n", PickleClass::OrderedDict},
    KnownClass{"torch\nBFloat16Storage\n", PickleClass::StorageType},
    KnownClass{"torch\nBoolStorage\n", PickleClass::StorageType},
    KnownClass{"torch\nByteStorage\n", PickleClass::StorageType},
    KnownClass{"torch\nCharStorage\n", PickleClass::StorageType},
    KnownClass{"torch\nDoubleStorage\n", PickleClass::StorageType},
    KnownClass{"torch\nFloatStorage\n", PickleClass::StorageType},
    KnownClass{"torch\nHalfStorage\n", PickleClass::StorageType},
    KnownClass{"torch\nIntStorage\n", PickleClass::StorageType},
    KnownClass{"torch\nLongStorage\n", PickleClass::StorageType},
    KnownClass{"torch\nShortStorage\n", PickleClass::StorageType},
    KnownClass{"torch\ndevice\n", PickleClass::Function},
    KnownClass{"torch._utils\n_rebuild_tensor_v2\n", PickleClass::Function},
};

}  // namespace

std::optional<PickleClass> pickleClass(std::string_view name)
{
    const auto found = std::ranges::find(kClasses, name, &KnownClass::name);
    return found == kClasses.end() ? std::nullopt : std::optional(found->is);
}

}  // namespace hs::model
