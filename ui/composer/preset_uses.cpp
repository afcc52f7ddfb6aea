#include "composer/preset_uses.h"

#include "analyses/written_units.h"
#include "render/translate.h"

#include <algorithm>
#include <initializer_list>

namespace hs::composer {
namespace {

bool isOneOf(FigureKnob knob, std::initializer_list<FigureKnob> knobs)
{
    return std::ranges::find(knobs, knob) != knobs.end();
}

/// The current value if the user chose it; otherwise what suits the new preset.
template <class Value>
Value carried(const Value& now, const Value& usual, const Value& next)
{
    return now == usual ? next : now;
}

figures::Form carriedForm(const figures::Form& now, const figures::Form& usual, const figures::Form& next)
{
    figures::Form form = now;
    form.width = carried(now.width, usual.width, next.width);
    form.labelCorner = carried(now.labelCorner, usual.labelCorner, next.labelCorner);
    form.hasColourBar = carried(now.hasColourBar, usual.hasColourBar, next.hasColourBar);
    return form;
}

control::FigureSide carriedSide(const control::FigureSide& now, const control::FigureSide& next)
{
    control::FigureSide side = next;
    side.isShown = now.isShown;
    side.title = now.title;
    if (!now.grid.list.empty()) {
        side.grid.form = control::GridChoice::Form::List;
        side.grid.list = now.grid.list;
        side.grid.order = now.grid.order;
    }
    return side;
}

}  // namespace

bool uses(control::FigurePreset preset, FigureKnob knob)
{
    using enum FigureKnob;
    switch (preset) {
    case control::FigurePreset::HeadGrid:
        return isOneOf(knob, {Arrangement, Heads, Columns, OnlyActive, Threshold, Units, ColourMap, Scale,
                              PerHead, Labels});
    case control::FigurePreset::RankedHeads:
        return isOneOf(knob, {Arrangement, Heads, Columns, OnlyActive, Threshold, Result, ColourMap, Scale,
                              PerHead, Labels});
    case control::FigurePreset::Summary: return isOneOf(knob, {Metric, Units, ColourMap, Scale});
    case control::FigurePreset::ScatterMatrix:
        return isOneOf(knob, {Heads, OnlyActive, Threshold, ColourMap});
    case control::FigurePreset::KeyQuery:
        return isOneOf(knob,
                       {Heads, Columns, OnlyActive, Threshold, Cell, ColourMap, Scale, PerHead, Labels});
    case control::FigurePreset::Attribution:
        return isOneOf(knob, {Units, Target, Share, Result, ColourMap, Scale, PerHead, Labels});
    case control::FigurePreset::Flow: return isOneOf(knob, {Heads, OnlyActive, Threshold, ColourMap, Scale});
    case control::FigurePreset::Graph: return isOneOf(knob, {Target, Share});
    case control::FigurePreset::ExplainedEffect:
        return isOneOf(knob, {Units, Target, Corrupted, Level, Result});
    case control::FigurePreset::History: return isOneOf(knob, {Heads, Metric, Result});
    case control::FigurePreset::Head: return isOneOf(knob, {OneHead, ColourMap, Scale, PerHead});
    }
    return false;
}

std::function<bool(const control::FigureSpec&)> usedBy(FigureKnob knob)
{
    return [knob](const control::FigureSpec& spec) { return uses(spec.preset, knob); };
}

QString presetTitle(control::FigurePreset preset)
{
    switch (preset) {
    case control::FigurePreset::HeadGrid: return tr("Grid of heads");
    case control::FigurePreset::RankedHeads: return tr("Ranked heads");
    case control::FigurePreset::Summary: return tr("Summary");
    case control::FigurePreset::ScatterMatrix: return tr("Scatter matrix");
    case control::FigurePreset::KeyQuery: return tr("Key to query");
    case control::FigurePreset::Attribution: return tr("Attribution");
    case control::FigurePreset::Flow: return tr("Flow");
    case control::FigurePreset::Graph: return tr("Features");
    case control::FigurePreset::ExplainedEffect: return tr("Explained effect");
    case control::FigurePreset::History: return tr("Over training");
    case control::FigurePreset::Head: return tr("One head");
    }
    return {};
}

control::FigureSpec switchedTo(const control::FigureSpec& spec, control::FigurePreset preset)
{
    if (preset == spec.preset)
        return spec;
    const control::FigureSpec usual = control::FigureSpec::of(spec.preset);
    const control::FigureSpec next = control::FigureSpec::of(preset);
    control::FigureSpec switched = spec;
    switched.preset = preset;
    switched.isStacked = next.isStacked;
    if (preset == control::FigurePreset::Summary && switched.metric.toStdString() != analyses::kLogitMetric)
        switched.units = next.units;  // an MLP has no pattern to sum up
    switched.threshold = carried(spec.threshold, usual.threshold, next.threshold);
    switched.form = carriedForm(spec.form, usual.form, next.form);
    for (std::size_t side = 0; side < spec.sides.size(); ++side)
        switched.sides[side] = carriedSide(spec.sides[side], next.sides[side]);
    return switched;
}

}  // namespace hs::composer
