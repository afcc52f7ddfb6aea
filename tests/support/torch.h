#pragma once

// libtorch's headers as the tests need them: before Catch's, since both define CHECK and libtorch's ends the program.
#include "engine/device/torch.h"

#include <c10/util/Logging.h>
