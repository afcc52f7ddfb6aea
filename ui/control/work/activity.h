#pragma once

#include <QString>

namespace hs::control {

/// What the worker is doing.
struct Activity {
    bool isBusy = false;
    QString stage;  // "Loading OLMo-7B", "Running Demo, dense"
    int done = 0;
    int total = 0;  // 0: unknown

    friend bool operator==(const Activity&, const Activity&) = default;
};

}  // namespace hs::control
