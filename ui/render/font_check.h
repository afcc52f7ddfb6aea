#pragma once

#include <QString>

namespace hs::render {

/// What is wrong where no font is installed at all, in a sentence with the remedy; empty otherwise.
QString fontProblem();

}  // namespace hs::render
