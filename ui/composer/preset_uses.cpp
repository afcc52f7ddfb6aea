#include "composer/preset_uses.h"

#include "render/translate.h"

#include <algorithm>
#include <initializer_list>

namespace hs {
namespace {

bool isOneOf(FigureKnob knob, std::initializer_list<FigureKnob> knobs)
{
    return std::ranges::find(knobs, knob) != knobs.end();
}

/// Kept where the user chose it; else what suits the new preset.
template <class Value>
Value carried(const Value& now, const Value& usual, const Value& next)
{
    return now == usual ? next : now;
}

FigureForm carriedForm(const FigureForm& now, const FigureForm& usual, const FigureForm& next)
{
    FigureForm form = now;
    form.width = carried(now.width, usual.width, next.width);
    form.labelCorner = carried(now.labelCorner, usual.labelCorner, next.labelCorner);
    form.hasColourBar = carried(now.hasColourBar, usual.hasColourBar, next.hasColourBar);
    return form;
}

FigureSide carriedSide(const FigureSide& now, const FigureSide& next)
{
    FigureSide side = next;
    side.isShown = now.isShown;
    side.title = now.title;
    if (!now.grid.list.empty()) {
        side.grid.form = GridChoice::Form::List;
        side.grid.list = now.grid.list;
        side.grid.order = now.grid.order;
    }
    return side;
}

}  // namespace

bool uses(FigurePreset preset, FigureKnob knob)
{
    using enum FigureKnob;
    switch (preset) {
    case FigurePreset::HeadGrid:
        return isOneOf(
            knob, {Arrangement, Heads, Columns, OnlyActive, Threshold, ColourMap, Scale, PerHead, Labels});
    case FigurePreset::RankedHeads:
        return isOneOf(knob, {Arrangement, Heads, Columns, OnlyActive, Threshold, Result, ColourMap, Scale,
                              PerHead, Labels});
    case FigurePreset::Summary: return isOneOf(knob, {Metric, ColourMap, Scale});
    case FigurePreset::ScatterMatrix: return isOneOf(knob, {Heads, OnlyActive, Threshold, ColourMap});
    case FigurePreset::KeyQuery:
        return isOneOf(knob,
                       {Heads, Columns, OnlyActive, Threshold, Cell, ColourMap, Scale, PerHead, Labels});
    case FigurePreset::Attribution:
        return isOneOf(knob, {Target, Share, Result, ColourMap, Scale, PerHead, Labels});
    case FigurePreset::Flow: return isOneOf(knob, {Heads, OnlyActive, Threshold, ColourMap, Scale});
    case FigurePreset::ExplainedEffect: return isOneOf(knob, {Target, Corrupted, Level, Result});
    case FigurePreset::Head: return isOneOf(knob, {OneHead, ColourMap, Scale, PerHead});
    }
    return false;
}

QString presetTitle(FigurePreset preset)
{
    switch (preset) {
    case FigurePreset::HeadGrid: return tr("Grid of heads");
    case FigurePreset::RankedHeads: return tr("Ranked heads");
    case FigurePreset::Summary: return tr("Summary");
    case FigurePreset::ScatterMatrix: return tr("Scatter matrix");
    case FigurePreset::KeyQuery: return tr("Key to query");
    case FigurePreset::Attribution: return tr("Attribution");
    case FigurePreset::Flow: return tr("Flow");
    case FigurePreset::ExplainedEffect: return tr("Explained effect");
    case FigurePreset::Head: return tr("One head");
    }
    return {};
}

FigureSpec switchedTo(const FigureSpec& spec, FigurePreset preset)
{
    if (preset == spec.preset)
        return spec;
    const FigureSpec usual = FigureSpec::of(spec.preset);
    const FigureSpec next = FigureSpec::of(preset);
    FigureSpec switched = spec;
    switched.preset = preset;
    switched.isStacked = next.isStacked;
    switched.threshold = carried(spec.threshold, usual.threshold, next.threshold);
    switched.form = carriedForm(spec.form, usual.form, next.form);
    for (std::size_t side = 0; side < spec.sides.size(); ++side)
        switched.sides[side] = carriedSide(spec.sides[side], next.sides[side]);
    return switched;
}

}  // namespace hs
