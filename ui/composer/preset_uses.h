#pragma once

#include "control/document/figure_spec.h"

#include <QString>

#include <functional>

namespace hs::composer {

/// What a preset may leave to the user beside page and text; the composer shows nothing else.
enum class FigureKnob {
    Arrangement,  // side by side or stacked
    Heads,        // which, and in which order
    OneHead,
    Columns,     // tiles a row
    OnlyActive,  // heads without an edge are left out
    Threshold,
    Metric,
    Cell,       // key and query
    Target,     // a token, and one to compare it with
    Corrupted,  // another prompt
    Share,
    Level,
    Result,  // of an analysis, from a file
    ColourMap,
    Scale,    // from weights to colours: scale, limits and colour bar
    PerHead,  // or a scale for each head
    Labels,   // in the corners of tiles
};

bool uses(control::FigurePreset preset, FigureKnob knob);
/// The same as a question to a figure.
std::function<bool(const control::FigureSpec&)> usedBy(FigureKnob knob);

/// A preset's name for people.
QString presetTitle(control::FigurePreset preset);

/// The figure as another preset, with what the user decided so far as far as it suits that one: the
/// page, titles, tokens, and heads that were named.
control::FigureSpec switchedTo(const control::FigureSpec& spec, control::FigurePreset preset);

}  // namespace hs::composer
