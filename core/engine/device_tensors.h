#pragma once

#include "engine/device.h"
#include "engine/torch.h"

namespace hs {

at::Device torchDevice(Device device);
at::ScalarType torchType(DType dtype);

/// The weights' types among torch's; others are refused. Throws Failure.
DType fromTorchType(at::ScalarType type, const std::string& what);

}  // namespace hs
