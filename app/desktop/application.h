#pragma once

namespace hs::app {

/// Qt wants its own arguments; the user's have already been read.
struct QtArguments {
    int count = 1;
    char name[10] = "headscope";
    char* words[2] = {name, nullptr};
};

/// Whether a window can open here.
bool hasDisplay();

/// Drawing into files needs no display, and gives the same bytes whether there is one or not.
void drawWithoutDisplay();

/// The names that Qt stores settings under; call before any of them is read.
void nameApplication();

}  // namespace hs::app
