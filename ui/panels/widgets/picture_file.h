#pragma once

#include "base/result.h"

#include <QPalette>
#include <QSize>

#include <filesystem>
#include <functional>

class QPainter;

namespace hs::panels {

/// Writes a picture of that size in pixels, on paper, as .pdf or .png by suffix.
using Paint = std::function<void(QPainter& painter, const QPalette& inks)>;
Result<std::filesystem::path> writePicture(const std::filesystem::path& file, QSize size, const Paint& paint);

}  // namespace hs::panels
