#pragma once

#include "control/document/figure_spec.h"

#include <QString>

#include <functional>

namespace hs::composer {

/// What a preset may leave to the user besides page and text; the composer shows nothing else.
enum class FigureKnob {
    Arrangement,  // side by side or stacked
    Heads,        // which, and in which order
    OneHead,
    Columns,     // tiles per row
    OnlyActive,  // heads without an edge are left out
    Threshold,
    Metric,
    Units,      // heads alone, or MLPs as well
    Cell,       // key and query
    Target,     // a token, and one to compare it with
    Corrupted,  // another prompt
    Share,
    Level,
    Result,  // of an analysis, from a file
    ColourMap,
    Scale,    // from weights to colours: scale, limits and colour bar
    PerHead,  // a scale for each head
    Labels,   // in the corners of tiles
};

bool uses(control::FigurePreset preset, FigureKnob knob);
/// The same as a predicate on a figure.
std::function<bool(const control::FigureSpec&)> usedBy(FigureKnob knob);

/// A preset's name for people.
QString presetTitle(control::FigurePreset preset);

/// The figure as another preset, keeping the user's choices that suit it: the page, titles, tokens, and
/// heads that were named.
control::FigureSpec switchedTo(const control::FigureSpec& spec, control::FigurePreset preset);

}  // namespace hs::composer
