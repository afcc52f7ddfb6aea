#pragma once

// Functions of a line or two that a kernel and the processor share.
#ifdef __CUDACC__
#define HS_HOST_DEVICE __host__ __device__
#else
#define HS_HOST_DEVICE
#endif
