#pragma once

#include <QString>

namespace hs::render {

/// If no font is installed at all, a sentence that says so and gives the remedy; otherwise empty.
QString fontProblem();

}  // namespace hs::render
