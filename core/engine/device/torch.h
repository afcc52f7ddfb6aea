#pragma once

// The only way to libtorch; precompiled. Only the engine's .cpp files and headers named *_tensors.h may
// include it.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
