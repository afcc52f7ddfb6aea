#pragma once

#include "base/json.h"
#include "remote/window_messages.h"

namespace hs::control {
class Explorer;
}

namespace hs::window {
class MainWindow;
}

namespace hs::app {

/// Whether a question can be answered yet: models have to be open, and a picture shows what the document asks for.
bool canAnswer(const remote::WindowQuestion& question, window::MainWindow& window);

/// Does what is asked, in the ways of the window itself, so that it can be undone there, and returns what is asked for.
/// Throws Failure with what is wrong about it.
Json answerOf(const remote::WindowQuestion& question, window::MainWindow& window);

/// The heads, and the cell, that the user looks at.
Json selectionOf(const control::Explorer& explorer);

}  // namespace hs::app
