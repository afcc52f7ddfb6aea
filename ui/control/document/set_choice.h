#pragma once

#include "analyses/set_maps.h"

#include <QString>

#include <optional>

namespace hs::control {

/// The set of prompts that is open, and what is looked at in it.
struct SetChoice {
    QString source;                           // file, folder or task:…; empty: none is open
    QString stamp;                            // the file's size and time when it was opened
    QString pattern;                          // template that the file has the values of; may be empty
    std::optional<analyses::SetAlign> align;  // none: by slots where there are any, otherwise from the start
    std::optional<int> index;  // of the prompt that is the document's; none: that is another one
    std::optional<analyses::SetAverage> average;  // of all prompts, which tiles show; none: those of one

    friend bool operator==(const SetChoice&, const SetChoice&) = default;
};

}  // namespace hs::control
