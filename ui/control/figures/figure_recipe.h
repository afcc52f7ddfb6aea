#pragma once

#include "control/figures/figure_maker.h"
#include "control/session/session.h"
#include "figures/files/figure_file.h"

namespace hs::control {

/// What a figure's file records about itself. The recipe is a session, without the window's view but
/// with what was run: titles, fingerprints and token ids. It does not depend on where the file goes, so
/// that the same figure has the same bytes anywhere.
figures::Stamp stampOf(const MadeFigure& figure, const Document& document);

/// The session in a figure's file (.pdf, .svg, .png, .html), or in a spec or session file.
Result<Session> readFigureSession(const std::filesystem::path& file);

/// Writes the figure in its own form, stamped, and returns the path.
Result<std::filesystem::path> writeMadeFigure(const MadeFigure& figure, const Document& document,
                                              const std::filesystem::path& file);

}  // namespace hs::control
