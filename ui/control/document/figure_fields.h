#pragma once

#include "control/document/figure_spec.h"

namespace hs::control {

// The fields of a figure's types for archives; see session_archive.h.

inline constexpr int kMostPositions = 1'000'000;  // more positions, heads and layers than any model has
inline constexpr int kMostColumns = 10'000;

template <class Archive>
void visit(Archive& archive, GridChoice& grid)
{
    archive.word("form", grid.form);
    archive.word("flow", grid.flow);
    archive.count("blocks", grid.blocks, 0, kMostColumns);
    archive.count("layerStep", grid.layerStep, 1, kMostPositions);
    archive.count("firstHead", grid.firstHead, 0, kMostPositions);
    archive.count("lastHead", grid.lastHead, -1, kMostPositions);
    archive.heads("list", grid.list);
    archive.text("order", grid.order);
    archive.flag("ascending", grid.isAscending);
    archive.count("columns", grid.columns, 0, kMostColumns);
    archive.heads("hidden", grid.hidden);
}

template <class Archive>
void visit(Archive& archive, figures::Form& form)
{
    archive.number("width", form.width, 10, 2000);
    archive.text("fontFamily", form.fontFamily);
    archive.number("fontSize", form.fontSize, figures::Form::kLeastText, 72);
    archive.number("lineWidth", form.lineWidth, 0.05, 10);
    archive.number("dotsPerInch", form.dotsPerInch, 10, 4800);
    archive.flag("transparent", form.isTransparent);
    archive.text("colourMap", form.colourMap);
    archive.word("scale", form.scale);
    archive.number("lowest", form.lowest, 0, 1);
    archive.number("highest", form.highest, 0, 1);
    archive.flag("perHead", form.isPerHead);
    archive.flag("colourBar", form.hasColourBar);
    archive.flag("hasCaption", form.hasCaption);
    archive.text("caption", form.caption);
    archive.word("labelCorner", form.labelCorner);
}

template <class Archive>
void visit(Archive& archive, FigureSide& side)
{
    archive.flag("shown", side.isShown);
    archive.text("title", side.title);
    archive.object("heads", [&](auto& inner) { visit(inner, side.grid); });
    archive.flag("onlyActive", side.hasOnlyActive);
    archive.text("result", side.result);
}

template <class Archive>
void visit(Archive& archive, FigureSpec& figure)
{
    archive.word("preset", figure.preset);
    // What a file leaves out is as in the preset.
    if constexpr (Archive::kReads)
        figure = FigureSpec::of(figure.preset);
    archive.object("left", [&](auto& inner) { visit(inner, figure.sides.front()); });
    archive.object("right", [&](auto& inner) { visit(inner, figure.sides.back()); });
    archive.flag("stacked", figure.isStacked);
    archive.count("key", figure.key, 0, kMostPositions);
    archive.count("query", figure.query, 0, kMostPositions);
    archive.number("threshold", figure.threshold, 0, 1);
    archive.text("metric", figure.metric);
    archive.word("units", figure.units);
    archive.text("target", figure.target);
    archive.text("versus", figure.versus);
    archive.text("corrupted", figure.corrupted);
    archive.number("share", figure.share, 0, 1);
    archive.number("level", figure.level, 0, 1);
    archive.object("form", [&](auto& inner) { visit(inner, figure.form); });
}

}  // namespace hs::control
