#pragma once

namespace hs {

/// Qt wants arguments of its own; ours are read already.
struct QtArguments {
    int count = 1;
    char name[10] = "headscope";
    char* words[2] = {name, nullptr};
};

/// Whether a window can open here.
bool hasDisplay();

/// Qt would refuse to start without a display, but drawing into files needs none.
void drawWithoutDisplay();

/// The names that Qt stores settings under; call before any of them is read.
void nameApplication();

}  // namespace hs
