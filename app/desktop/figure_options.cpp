#include "app/desktop/figure_options.h"

#include "app/desktop/window_arguments.h"
#include "app/support/workspace.h"
#include "base/failure.h"
#include "composer/preset_uses.h"

#include <charconv>
#include <sstream>

namespace hs::app {
namespace {

QString words(const std::string& text)
{
    return QString::fromStdString(text);
}

void set(QString& field, const std::string& value)
{
    if (!value.empty())
        field = words(value);
}

template <class T>
void set(T& field, const std::optional<T>& value)
{
    if (value)
        field = *value;
}

/// A number at the start of a text, and what follows it.
std::pair<double, std::string> measureOf(const std::string& text)
{
    double value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc())
        fail(ErrorCode::BadRequest, "\"" + text + "\" is not a width; write 85mm, 3.5in, one or two.");
    return {value, std::string(end, text.data() + text.size())};
}

double widthOf(const std::string& text)
{
    if (text == "one")
        return figures::kOneColumn;
    if (text == "two")
        return figures::kTwoColumns;
    const auto [value, unit] = measureOf(text);
    const double millimetres = unit == "in" ? 25.4 * value : unit == "cm" ? 10 * value : value;
    if ((!unit.empty() && unit != "mm" && unit != "cm" && unit != "in") || !(millimetres >= 10) ||
        millimetres > 2000)
        fail(ErrorCode::BadRequest, "\"" + text +
                                        "\" is not a width from 10 to 2,000 mm; write 85mm, 3.5in, one or "
                                        "two.");
    return millimetres;
}

/// Two numbers with the character `between` between them.
template <class T>
std::pair<T, T> pairOf(const std::string& text, char between, const std::string& example)
{
    std::istringstream stream(text);
    T first{}, second{};
    char sign = 0;
    if (!(stream >> first >> sign >> second) || sign != between || !stream.eof())
        fail(ErrorCode::BadRequest, "\"" + text + "\" is not two numbers such as " + example + ".");
    return {first, second};
}

template <class Enum>
void setWord(Enum& field, const std::string& word, const std::string& what)
{
    if (!word.empty())
        field = chosenBy<Enum>(word, what);
}

void applyRun(const FigureOptions& options, control::Document& document)
{
    for (const Side side : kSides) {
        control::SideSetup& setup = document.side(side);
        const std::string& model = side == Side::Left ? options.dense : options.sparse;
        if (!model.empty())
            setup.model = options.host.empty() ? modelSource(model) : words(model);
        if (setup.model.isEmpty())
            setup.model = side == Side::Left ? QStringLiteral("demo:dense") : QStringLiteral("demo:sparse");
        setup.gate = options.run.gateOver(setup.gate);
        set(setup.graph.coders, options.run.features);
        set(setup.graph.coders, side == Side::Left ? options.denseFeatures : options.sparseFeatures);
    }
}

void applyContent(const FigureOptions& options, control::FigureSpec& figure)
{
    const int first = options.isOneBased ? 1 : 0;
    if (options.key)
        figure.key = *options.key - first;
    if (options.query)
        figure.query = *options.query - first;
    if ((figure.key && *figure.key < 0) || (figure.query && *figure.query < 0))
        fail(ErrorCode::BadRequest, "Positions start at " + std::to_string(first) + "; choose others.");
    set(figure.threshold, options.threshold);
    set(figure.share, options.share);
    set(figure.level, options.level);
    set(figure.metric, options.metric);
    setWord(figure.units, options.units, "units");
    set(figure.target, options.target);
    set(figure.versus, options.versus);
    set(figure.corrupted, options.corrupted);
    if (options.isStacked || options.isSideBySide)
        figure.isStacked = options.isStacked;
    for (const Side side : kSides) {
        const bool isLeft = side == Side::Left;
        control::FigureSide& part = figure.sides[indexOf(side)];
        if (!options.only.empty())
            part.isShown = isLeft == (options.only == "dense");
        set(part.title, isLeft ? options.denseTitle : options.sparseTitle);
        const std::string& result = isLeft ? options.denseResult : options.sparseResult;
        if (!result.empty())
            part.result = textIn(result);
        if (!options.order.empty()) {
            part.grid.form = control::GridChoice::Form::List;
            part.grid.order = words(options.order);
            part.grid.isAscending = options.isAscending;
        }
        if (options.hasOnlyActive || options.hasAll)
            part.hasOnlyActive = options.hasOnlyActive;
        set(part.grid.columns, options.columns);
        set(part.grid.layerStep, options.layerStep);
        if (!options.headRange.empty())
            std::tie(part.grid.firstHead, part.grid.lastHead) = pairOf<int>(options.headRange, '-', "0-15");
    }
}

/// Whether the figure shows what --units asks for.
void requireUnits(const FigureOptions& options, control::FigurePreset preset)
{
    const auto shows = [](control::FigurePreset each) {
        return composer::uses(each, composer::FigureKnob::Units);
    };
    if (options.units.empty() || options.units == wordOf(Units::Heads) || shows(preset))
        return;
    std::string others;
    for (const control::PresetName& other : control::presetNames())
        if (shows(other.value))
            others += (others.empty() ? "" : ", ") + std::string(other.word);
    fail(ErrorCode::BadRequest,
         "The figure " + std::string(wordOf(preset)) +
             " has no place for MLPs, which have no pattern; leave out --units, or choose "
             "one of " +
             others + ".");
}

void applyForm(const FigureOptions& options, figures::Form& form)
{
    if (!options.width.empty())
        form.width = widthOf(options.width);
    if (options.font)
        form.fontFamily = words(*options.font);
    set(form.fontSize, options.fontSize);
    set(form.lineWidth, options.lineWidth);
    set(form.dotsPerInch, options.dotsPerInch);
    form.isTransparent = form.isTransparent || options.isTransparent;
    if (!options.colours.empty() && !render::ColourMap::names().contains(words(options.colours)))
        fail(ErrorCode::BadRequest, "There is no colour map \"" + options.colours + "\"; choose one of " +
                                        render::ColourMap::names().join(QStringLiteral(", ")).toStdString() +
                                        ".");
    set(form.colourMap, options.colours);
    setWord(form.scale, options.scale, "scale");
    setWord(form.labelCorner, options.labels, "corner");
    if (!options.limits.empty()) {
        std::tie(form.lowest, form.highest) = pairOf<double>(options.limits, ',', "0,0.5");
        if (!(form.lowest >= 0 && form.highest <= 1 && form.lowest < form.highest))
            fail(ErrorCode::BadRequest, "The limits " + options.limits +
                                            " are no range of weights; write two numbers "
                                            "from 0 to 1, the smaller first.");
    }
    form.isPerHead = form.isPerHead || options.isPerHead;
    form.hasColourBar = form.hasColourBar && !options.hasNoColourBar;
    if (options.caption)
        form.caption = words(*options.caption);
    form.hasCaption = form.hasCaption && !options.hasNoCaption;
}

}  // namespace

void applyOptions(const FigureOptions& options, control::Document& document)
{
    if (!options.preset.empty()) {
        const auto preset = fromWord<control::FigurePreset>(options.preset);
        if (!preset)
            fail(ErrorCode::BadRequest,
                 "There is no figure \"" + options.preset + "\"; headscope figure --presets lists them.");
        document.figure = control::FigureSpec::of(*preset);
    }
    applyPrompt(options.prompt, document);
    applyOther(options.other, document);
    applyRun(options, document);
    requireUnits(options, document.figure.preset);
    applyContent(options, document.figure);
    applyForm(options, document.figure.form);
}

void applyHeads(const FigureOptions& options, Side side, const HeadShape& shape, control::Document& document)
{
    control::SideSetup& setup = document.side(side);
    const RunArguments run = side == Side::Right ? options.other.runOver(options.run) : options.run;
    for (const auto& [head, change] : parseChanges(run.ablate, shape))
        setup.ablations[head] = change;
    for (const std::string& adapter : run.adapters)
        setup.adapters.push_back(orThrow(engine::parseAdapterChoice(adapter)));
    if (!options.run.scales.empty())
        setup.graph.scales = parseScales(options.run.scales);
    const std::string& own = side == Side::Left ? options.denseHeads : options.sparseHeads;
    const std::string& list = own.empty() ? options.heads : own;
    if (list.empty())
        return;
    control::GridChoice& grid = document.figure.sides[indexOf(side)].grid;
    grid.form = control::GridChoice::Form::List;
    grid.list.clear();
    if (options.order.empty())
        grid.order.clear();
    std::istringstream items(list);
    for (std::string item; std::getline(items, item, ',');)
        for (const HeadId head : orThrow(parseHeads(item, shape)))
            grid.list.push_back(head);
}

}  // namespace hs::app
