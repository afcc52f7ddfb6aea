#pragma once

// The one door to libtorch; precompiled. Only .cpp files of the engine and headers named
// *_tensors.h may pass it.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
