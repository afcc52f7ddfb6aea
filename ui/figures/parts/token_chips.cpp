#include "figures/parts/token_chips.h"

#include "render/translate.h"

#include <algorithm>
#include <cstdlib>

namespace hs::figures {
namespace {

constexpr double kPadding = 0.65;  // all in text sizes
constexpr double kHeight = 1.9;
constexpr double kBetween = 0.4;
constexpr double kRadius = 0.5;
constexpr double kGapWidth = 1.7;
constexpr double kNumberSpace = 1.35;           // in small text sizes
constexpr double kUsualWidths[] = {16, 11, 8};  // widest chip, tried with all tokens
constexpr double kWindowWidths[] = {8, 5, 3.5, 2.4};

struct ChipLook {
    QRgb fill;
    QRgb outline;
    bool isStrong;  // text and outline
};

ChipLook lookOf(ChipKind kind)
{
    switch (kind) {
    case ChipKind::Plain: return {0xffeff4fa, 0xffc9dced, false};
    case ChipKind::Source: return {0xffe3eef7, 0xff7fa6c4, false};
    case ChipKind::Marked: return {0xfffdecec, render::FigureStyle::kMark, true};
    case ChipKind::Target: return {0xfffff6e9, render::FigureStyle::kSecondAccent, true};
    }
    return {render::FigureStyle::kPaper, render::FigureStyle::kFrame, false};
}

TextStyle textStyle(const Form& form, bool isStrong)
{
    return {form.fontSize, isStrong ? QFont::DemiBold : QFont::Normal, render::FigureStyle::kInk, {}};
}

TextStyle numberStyle(const Form& form)
{
    return {form.smallSize(), QFont::Normal, render::FigureStyle::kQuietInk, {}};
}

/// The distance of each of `count` positions from the nearest one that stands out.
std::vector<int> distances(std::size_t count, const std::map<int, ChipKind>& kinds)
{
    std::vector<int> result;
    for (int position = 0; position < static_cast<int>(count); ++position) {
        int nearest = kinds.empty() ? position : static_cast<int>(count);
        for (const auto& [other, kind] : kinds)
            nearest = std::min(nearest, std::abs(other - position));
        result.push_back(nearest);
    }
    return result;
}

}  // namespace

QRgb inkOf(ChipKind kind)
{
    return lookOf(kind).outline;
}

double chipHeight(const Form& form)
{
    return kHeight * form.fontSize;
}

double chipWidth(const QString& text, const Form& form, double most)
{
    const double width = render::textWidth(text, form.fontSize, QFont::DemiBold, form.fontFamily);
    return std::clamp(width + 2 * kPadding * form.fontSize, kHeight * form.fontSize,
                      std::max(kHeight * form.fontSize, most));
}

void drawChip(Drawing& drawing, const QRectF& place, const QString& text, ChipKind kind, const Form& form)
{
    const ChipLook look = lookOf(kind);
    const double line = (look.isStrong ? 1.8 : 1.2) * form.lineWidth;
    drawing.rect(place, Stroke{look.outline, line, kind == ChipKind::Target}, look.fill,
                 kRadius * form.fontSize);
    const TextStyle style = textStyle(form, look.isStrong);
    drawing.text({place.center().x(), place.center().y() + 0.36 * style.size},
                 drawing.elided(text, style, place.width() - kPadding * form.fontSize), style, Align::Centre);
}

TokenStrip::TokenStrip(const std::vector<QString>& tokens, const std::map<int, ChipKind>& kinds,
                       const Form& form, double width)
    : m_tokens(tokens), m_kinds(kinds), m_form(form)
{
    for (const QString& token : tokens)
        m_naturalWidths.push_back(chipWidth(token, form, kUsualWidths[0] * form.fontSize));
    double mostWidth = 0;
    const std::vector<bool> isShown = choose(width, mostWidth);
    m_leftOut = static_cast<int>(std::count(isShown.begin(), isShown.end(), false));
    place(isShown, mostWidth);
}

double TokenStrip::widthOf(int position, double mostWidth) const
{
    return std::min(m_naturalWidths[static_cast<std::size_t>(position)], mostWidth);
}

double TokenStrip::totalWidth(const std::vector<bool>& isShown, double mostWidth) const
{
    const double between = kBetween * m_form.fontSize;
    double width = -between;
    bool isInGap = false;
    for (std::size_t position = 0; position < isShown.size(); ++position) {
        if (isShown[position])
            width += widthOf(static_cast<int>(position), mostWidth) + between;
        else if (!isInGap)
            width += kGapWidth * m_form.fontSize + between;
        isInGap = !isShown[position];
    }
    return width;
}

std::vector<bool> TokenStrip::choose(double width, double& mostWidth) const
{
    const std::size_t count = m_tokens.size();
    std::vector<bool> isShown(count, true);
    for (const double sizes : kUsualWidths) {
        mostWidth = sizes * m_form.fontSize;
        if (totalWidth(isShown, mostWidth) <= width)
            return isShown;
    }
    isShown.assign(count, false);
    for (const auto& [position, kind] : m_kinds)
        if (position >= 0 && position < static_cast<int>(count))
            isShown[static_cast<std::size_t>(position)] = true;
    for (const double sizes : kWindowWidths) {
        mostWidth = sizes * m_form.fontSize;
        if (totalWidth(isShown, mostWidth) <= width)
            break;
    }
    for (const auto& [position, kind] : m_kinds)
        if (totalWidth(isShown, mostWidth) > width && position >= 0 && position < static_cast<int>(count))
            isShown[static_cast<std::size_t>(position)] = false;
    // Nearest first; the loop ends at the first distance at which no token fits any more.
    const std::vector<int> distance = distances(count, m_kinds);
    bool hasGrown = true;
    for (int reach = 0; hasGrown; ++reach) {
        hasGrown = false;
        for (std::size_t position = count; position-- > 0;) {
            if (isShown[position] || distance[position] != reach)
                continue;
            isShown[position] = true;
            if (totalWidth(isShown, mostWidth) <= width)
                hasGrown = true;
            else
                isShown[position] = false;
        }
        hasGrown = hasGrown || reach == 0;
    }
    return isShown;
}

void TokenStrip::place(const std::vector<bool>& isShown, double mostWidth)
{
    double left = 0;
    const auto add = [&](int position, double width) {
        m_places.push_back({position, QRectF(left, 0, width, chipHeight(m_form))});
        left += width + kBetween * m_form.fontSize;
    };
    for (std::size_t position = 0; position < isShown.size(); ++position) {
        if (isShown[position])
            add(static_cast<int>(position), widthOf(static_cast<int>(position), mostWidth));
        else if (m_places.empty() || m_places.back().position != kGap)
            add(kGap, kGapWidth * m_form.fontSize);
    }
}

QSizeF TokenStrip::size() const
{
    return {m_places.empty() ? 0 : m_places.back().chip.right(),
            chipHeight(m_form) + kNumberSpace * m_form.smallSize()};
}

std::optional<QRectF> TokenStrip::chip(int position) const
{
    for (const Place& place : m_places)
        if (place.position == position && position != kGap)
            return place.chip;
    return std::nullopt;
}

void TokenStrip::draw(Drawing& drawing, QPointF at) const
{
    const TextStyle numbers = numberStyle(m_form);
    for (const Place& place : m_places) {
        const QRectF chip = place.chip.translated(at);
        if (place.position == kGap) {
            drawing.text({chip.center().x(), chip.center().y() + 0.36 * m_form.fontSize}, QStringLiteral("…"),
                         {m_form.fontSize, QFont::Normal, render::FigureStyle::kQuietInk, {}}, Align::Centre);
            continue;
        }
        const auto kind = m_kinds.find(place.position);
        drawChip(drawing, chip, m_tokens[static_cast<std::size_t>(place.position)],
                 kind == m_kinds.end() ? ChipKind::Plain : kind->second, m_form);
        drawing.text({chip.center().x(), chip.bottom() + 1.15 * numbers.size},
                     QString::number(place.position + 1), numbers, Align::Centre);
    }
    if (m_leftOut > 0)
        drawing.note(
            tr("%1 of %2 tokens of the prompt are left out of the strip; a wider figure or a shorter "
               "prompt shows them.")
                .arg(m_leftOut)
                .arg(m_tokens.size()));
}

}  // namespace hs::figures
