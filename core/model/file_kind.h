#pragma once

#include <filesystem>

namespace hs::model {

/// What a file is by its first bytes; names can lie, and failed downloads leave other things under them.
enum class FileKind {
    Empty,
    Safetensors,
    Zip,           // what torch.save writes since 1.6
    LegacyPickle,  // what it wrote before
    Tar,           // and before that
    Gguf,
    Ggml,     // what llama.cpp wrote before
    Hdf5,     // Keras and TensorFlow weights
    Msgpack,  // Flax weights
    Onnx,
    LfsPointer,  // git-lfs's placeholder for a file that was not fetched
    WebPage,     // an error page saved in place of the file
    Unknown,
};

/// Reads a few hundred bytes. Throws Failure where the file cannot be read.
FileKind fileKindOf(const std::filesystem::path& file);

}  // namespace hs::model
