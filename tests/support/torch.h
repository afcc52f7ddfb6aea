#pragma once

// libtorch's headers as the tests need them: before Catch's, since both define CHECK and libtorch's ends the program,
// and without glog's operator<< for every vector, which asks for one of its elements, too.
#define C10_USE_MINIMAL_GLOG
#include "engine/device/torch.h"

#include <c10/util/Logging.h>
