#pragma once

#include "base/result.h"
#include "figures/parts/drawing.h"

#include <QByteArray>

#include <filesystem>
#include <string>

namespace hs::figures {

enum class Format { Pdf, Svg, Png, Html };

/// By suffix, ignoring case. Throws Failure for an unknown one.
Format formatOf(const std::filesystem::path& file);

/// The formats as file dialogs name them, PDF first.
QString formatFilters();
/// The one of pages for a browser.
QString pageFilter();

/// What a file records about itself besides the picture.
struct Stamp {
    QString title;        // "head-grid: demo-dense and demo-sparse"
    QString description;  // the caption
    std::string
        recipe;  // JSON that makes the figure again: attached to a PDF, an element of an SVG or a page, text of a PNG
};

struct PixelOptions {
    double dotsPerInch = 300;
    bool isTransparent = false;
};

/// The whole file. The same drawing and stamp give the same bytes. Needs a QGuiApplication; throws
/// Failure.
QByteArray figureBytes(const Drawing& drawing, Format format, const Stamp& stamp,
                       const PixelOptions& options);

/// The drawing as a picture, for the clipboard and the preview. Throws Failure if it is too large.
QImage figureImage(const Drawing& drawing, const PixelOptions& options);

/// Writes the file, completely or not at all, and returns the path.
Result<std::filesystem::path> writeFigure(const Drawing& drawing, const std::filesystem::path& file,
                                          const Stamp& stamp, const PixelOptions& options);

/// The recipe in a file that writeFigure made; an error if it has none.
Result<std::string> readRecipe(const std::filesystem::path& file);

}  // namespace hs::figures
