#pragma once

#include "model/model_files.h"

#include <filesystem>

namespace hs::model {

/// The format of a weights file by its content. Throws Failure, with what to do instead, for what cannot be
/// read: other programs' formats, adapters, pointers, broken links and unfinished downloads.
ModelFiles::Format requireWeights(const std::filesystem::path& file);

/// Throws Failure where the file is missing or a link to one that is.
void requireThere(const std::filesystem::path& file);

/// Throws Failure where the file, by name or content, is a model for another program or a pointer
/// to one; returns for everything else, weights and strange files alike.
void refuseForeignFile(const std::filesystem::path& file);

[[noreturn]] void refuseAdapter(const std::filesystem::path& where);

}  // namespace hs::model
