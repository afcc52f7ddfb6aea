#pragma once

#include "features/coders/transcoders.h"
#include "maps/array.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hs::features {

/// A matrix where it lies: part of an array of a file, by rows or by columns, and what its numbers are
/// multiplied by. A vector is a matrix of one column.
struct MatrixView {
    maps::Array array;
    std::string name;        // for errors: "W_enc in layer_0.safetensors"
    std::int64_t first = 0;  // elements from here on, strides likewise in elements
    std::int64_t rows = 0;
    std::int64_t columns = 1;
    std::int64_t rowStride = 1;
    std::int64_t columnStride = 1;
    double scale = 1;
};

/// Matrices below each other; none: zeros.
using Stack = std::vector<MatrixView>;

struct LayerPlan {
    Stack encoder;      // [feature, width]
    Stack encoderBias;  // [feature]
    Stack threshold;    // [feature]; none but for JumpRelu
    Stack shift;        // [feature], see CoderLayer; may be none
    Stack gain;
    std::vector<MatrixView> decoderBias;  // [width] each, added up
    std::vector<MatrixView> skip;         // [width, width]; none or one
    std::vector<Stack> decoders;          // [target - layer], each [feature, width], rows without gaps
};

/// How a file's threshold is meant.
enum class ThresholdForm {
    AsItIs,
    Logarithm,
    AtLeastZero,  // what fires is never negative
};

/// A set of transcoders as tensors of the same form, wherever they lie in whatever files. Every layout of files is a
/// function that makes such a plan, and one reader carries it out.
struct CoderPlan {
    CoderFacts facts;
    ThresholdForm thresholds = ThresholdForm::AsItIs;
    std::vector<LayerPlan> layers;
};

/// Throws Failure where a plan does not fit the model or reaches outside of its files.
void requireSound(const CoderPlan& plan, const model::ArchSpec& spec);

}  // namespace hs::features
