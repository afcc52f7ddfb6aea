#include "model/weights_file.h"

#include "base/failure.h"
#include "model/file_kind.h"
#include "model/hub_cache.h"

#include <array>
#include <string>
#include <string_view>

namespace hs::model {
namespace {

namespace fs = std::filesystem;

struct ForeignFormat {
    std::string_view ending;
    std::string_view program;
};

constexpr std::array kForeignFormats = {
    ForeignFormat{".h5", "TensorFlow"},
    ForeignFormat{"saved_model.pb", "TensorFlow"},
    ForeignFormat{".ckpt.index", "TensorFlow"},
    ForeignFormat{".tflite", "TensorFlow Lite"},
    ForeignFormat{".keras", "Keras"},
    ForeignFormat{".msgpack", "Flax"},
    ForeignFormat{".onnx", "ONNX"},
    ForeignFormat{".onnx_data", "ONNX"},
    ForeignFormat{".ot", "rust-bert"},
    ForeignFormat{".mlmodel", "Core ML"},
};

/// The program whose weights a file holds; empty if it is not a known one.
std::string_view foreignProgram(const std::string& name, FileKind kind)
{
    if (kind == FileKind::Hdf5)
        return "TensorFlow";
    if (kind == FileKind::Msgpack)
        return "Flax";
    if (kind == FileKind::Onnx)
        return "ONNX";
    for (const ForeignFormat& format : kForeignFormats)
        if (name.ends_with(format.ending))
            return format.program;
    return {};
}

void refuseForeign(const fs::path& file, FileKind kind)
{
    const std::string name = file.filename().string();
    if (kind == FileKind::LfsPointer)
        fail(ErrorCode::BadFile,
             file.string() + " is only a git-lfs pointer to the file; run `git lfs pull` in its folder.");
    if (name.ends_with(".npz"))
        fail(ErrorCode::Unsupported, file.string() +
                                         " holds arrays and no model, so there is nothing to run; "
                                         "look at attention maps in it with headscope view.");
    if (kind == FileKind::Ggml)
        fail(ErrorCode::Unsupported, file.string() +
                                         " is in a format that llama.cpp had before GGUF; use a GGUF file "
                                         "or the safetensors folder of that model.");
    if (const std::string_view program = foreignProgram(name, kind); !program.empty())
        fail(ErrorCode::Unsupported, file.string() + " holds weights for " + std::string(program) +
                                         "; use the safetensors or PyTorch version of the model.");
}

[[noreturn]] void refuseUnfinished(const fs::path& file, const std::string& problem)
{
    fail(ErrorCode::BadFile, file.string() + " " + problem + "; " + downloadRemedy(file.parent_path()) + ".");
}

}  // namespace

void requireThere(const fs::path& file)
{
    std::error_code ignored;
    if (fs::exists(file, ignored))
        return;
    if (fs::is_symlink(file, ignored))
        refuseUnfinished(file, "is a link to a file that is not there, so the download is incomplete");
    fail(ErrorCode::NotFound, file.string() + " is not there; " + downloadRemedy(file.parent_path()) + ".");
}

void refuseForeignFile(const fs::path& file)
{
    std::error_code ignored;
    refuseForeign(file, fs::is_regular_file(file, ignored) ? fileKindOf(file) : FileKind::Unknown);
}

void refuseAdapter(const fs::path& where)
{
    fail(
        ErrorCode::Unsupported,
        where.string() +
            " is a LoRA adapter, a change to a model and no model by itself; open it on its base with "
            "--model "
            "BASE --adapter DIR where runs are changed, or merge it in Python with peft's merge_and_unload() "
            "and open the folder that save_pretrained() writes.");
}

ModelFiles::Format requireWeights(const fs::path& file)
{
    requireThere(file);
    const std::string name = file.filename().string();
    const FileKind kind = fileKindOf(file);
    refuseForeign(file, kind);
    if (kind == FileKind::Empty)
        refuseUnfinished(file, "is empty");
    if (kind == FileKind::WebPage)
        refuseUnfinished(file, "is a web page and not the file itself");
    if (kind == FileKind::LegacyPickle || kind == FileKind::Tar)
        fail(ErrorCode::Unsupported,
             file.string() +
                 " was saved by an old torch; load it in Python with torch.load and save it again with "
                 "torch.save, or use the model's safetensors version.");
    if (name.starts_with("adapter_"))
        refuseAdapter(file);
    if (kind == FileKind::Zip)
        return ModelFiles::Format::StateDict;
    // A damaged file is better explained by its reader.
    if (kind == FileKind::Gguf || name.ends_with(".gguf"))
        return ModelFiles::Format::Gguf;
    if (kind == FileKind::Safetensors || name.ends_with(".safetensors"))
        return ModelFiles::Format::Safetensors;
    fail(ErrorCode::Unsupported,
         file.string() + " is not a weights file this program knows; give a safetensors file, "
                         "a GGUF file, a state dict written by torch.save, or the model's folder.");
}

}  // namespace hs::model
