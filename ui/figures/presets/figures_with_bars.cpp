#include "figures/presets/figures_with_bars.h"

#include "stats/model_summary.h"

#include <algorithm>
#include <cmath>

namespace hs::figures {
namespace {

constexpr double kBarNameHeight = 1.25;  // of the text size
constexpr double kBlockGap = 0.95;       // of the text size, below a block
constexpr double kBarHeight = 0.62;      // of the small text size
constexpr double kLeastBar = 8;          // of the text size, beside the widest value

QRgb colourOf(std::size_t panel)
{
    return panel == 0   ? render::FigureStyle::kAccent
           : panel == 1 ? render::FigureStyle::kSecondAccent
                        : render::FigureStyle::kQuietInk;
}

TextStyle barNameStyle(const Form& form)
{
    return {form.fontSize, QFont::Normal, render::FigureStyle::kInk, {}};
}

TextStyle changeStyle(const Form& form)
{
    return {form.fontSize, QFont::DemiBold, render::FigureStyle::kInk, {}};
}

TextStyle valueStyle(const Form& form)
{
    return {form.smallSize(), QFont::Normal, render::FigureStyle::kQuietInk, {}};
}

QString changeOf(const SummaryRow& row)
{
    if (row.values.size() < 2)
        return {};
    return row.hasReduction ? reductionText(row.values[0], row.values[1])
           : row.hasFactor  ? timesText(row.values[0], row.values[1])
                            : QString();
}

/// The value of a full-length bar.
double fullValue(const SummaryRow& row)
{
    double full = row.isShare ? 1 : 0;
    for (const double value : row.values)
        if (std::isfinite(value))
            full = std::max(full, value);
    return full;
}

}  // namespace

QString figureText(double value, bool isShare)
{
    if (!std::isfinite(value))
        return QStringLiteral("–");
    if (isShare)
        return QStringLiteral("%1 %").arg(QString::number(100 * value, 'g', 3));
    return value == std::floor(value) && std::abs(value) < 1e15 ? QString::number(value, 'f', 0)
                                                                : QString::number(value, 'g', 3);
}

QString reductionText(double before, double after)
{
    const double change = -100 * stats::reduction(before, after);
    if (!std::isfinite(change))
        return QStringLiteral("–");
    const double magnitude = std::abs(change);
    // Almost 100 % must not read as 100 %.
    const int decimals = magnitude < 99 || magnitude >= 100 ? 0 : magnitude < 99.9 ? 1 : 2;
    const QString number = QString::number(magnitude, 'f', decimals);
    const QString sign = number == QLatin1String("0") ? QString()
                         : change < 0                 ? QStringLiteral("−")
                                                      : QStringLiteral("+");
    return QStringLiteral("%1%2 %").arg(sign, number);
}

QString timesText(double first, double second)
{
    const double factor = first / second;
    if (!(second > 0) || !std::isfinite(factor))
        return QStringLiteral("–");
    return QStringLiteral("%1×").arg(factor >= 100 ? QString::number(factor, 'f', 0)
                                                   : QString::number(factor, 'g', factor < 10 ? 2 : 3));
}

FiguresWithBars::FiguresWithBars(const SummaryFigure& figure, const Form& form)
    : m_figure(figure), m_form(form)
{
    const Drawing measure(form.fontFamily);
    for (const SummaryRow& row : figure.rows) {
        const double name = measure.widthOf(row.name, barNameStyle(form));
        const double change = measure.widthOf(changeOf(row), changeStyle(form));
        m_leastWidth = std::max(m_leastWidth, name + (change > 0 ? change + 1.2 * form.fontSize : 0));
        for (const double value : row.values)
            m_leastWidth =
                std::max(m_leastWidth, kLeastBar * form.fontSize +
                                           measure.widthOf(figureText(value, row.isShare), valueStyle(form)));
    }
}

double FiguresWithBars::blockHeight() const
{
    const auto bars = static_cast<double>(std::max<std::size_t>(1, m_figure.panels.size()));
    return (kBarNameHeight + kBlockGap) * m_form.fontSize + bars * linePitch();
}

double FiguresWithBars::draw(Drawing& drawing, QPointF at, double width, bool hasKey) const
{
    const double gap = columnGap();
    const int count = static_cast<int>(m_figure.rows.size());
    const int fitting = std::max(1, static_cast<int>((width + gap) / (m_leastWidth + gap) + 1e-6));
    const int rows = (count + std::min(fitting, count) - 1) / std::min(fitting, count);
    const int columns = (count + rows - 1) / rows;
    const double blockWidth = (width - (columns - 1) * gap) / columns;
    const double top = at.y() + (hasKey ? drawKey(drawing, at, width) : 0);
    for (int index = 0; index < count; ++index)
        drawBlock(drawing, m_figure.rows[static_cast<std::size_t>(index)],
                  {at.x() + index / rows * (blockWidth + gap), top + index % rows * blockHeight()},
                  blockWidth);
    return top - at.y() + rows * blockHeight();
}

double FiguresWithBars::drawKey(Drawing& drawing, QPointF at, double width) const
{
    const TextStyle style = barNameStyle(m_form);
    const double side = 0.7 * style.size;
    const double pitch = 1.4 * style.size;
    const auto widthOf = [&](const SummaryPanel& panel) {
        return 1.5 * side + drawing.widthOf(panel.title, style);
    };
    double together = -1.5 * style.size;
    for (const SummaryPanel& panel : m_figure.panels)
        together += widthOf(panel) + 1.5 * style.size;
    const bool isOneLine = together <= width;
    QPointF place = at + QPointF(0, 0.8 * style.size);
    for (std::size_t panel = 0; panel < m_figure.panels.size(); ++panel) {
        drawing.rect(QRectF(place - QPointF(0, side), QSizeF(side, side)), {}, colourOf(panel));
        drawing.text(place + QPointF(1.5 * side, 0),
                     drawing.elided(m_figure.panels[panel].title, style, width - 1.5 * side), style);
        place +=
            isOneLine ? QPointF(widthOf(m_figure.panels[panel]) + 1.5 * style.size, 0) : QPointF(0, pitch);
    }
    const double lines = isOneLine ? 1 : static_cast<double>(m_figure.panels.size());
    return lines * pitch + 0.8 * style.size;
}

void FiguresWithBars::drawBlock(Drawing& drawing, const SummaryRow& row, QPointF at, double width) const
{
    const TextStyle name = barNameStyle(m_form);
    const TextStyle value = valueStyle(m_form);
    const double baseline = at.y() + 0.8 * name.size;
    const QString change = changeOf(row);
    const double changeWidth = drawing.widthOf(change, changeStyle(m_form));
    const double nameWidth = width - (change.isEmpty() ? 0 : changeWidth + 0.6 * name.size);
    drawing.text({at.x(), baseline}, drawing.elided(row.name, name, nameWidth), name);
    drawing.text({at.x() + width, baseline}, change, changeStyle(m_form), Align::Right);

    double widest = 0;
    for (const double number : row.values)
        widest = std::max(widest, drawing.widthOf(figureText(number, row.isShare), value));
    const double space = 0.5 * value.size;
    const double longest = std::max(0.0, width - widest - space);
    const double full = fullValue(row);
    for (std::size_t panel = 0; panel < row.values.size(); ++panel) {
        const double number = row.values[panel];
        const double top =
            at.y() + kBarNameHeight * m_form.fontSize + static_cast<double>(panel) * linePitch();
        const double middle = top + linePitch() / 2;
        const double length = std::isfinite(number) && full > 0 ? longest * std::max(0.0, number) / full : 0;
        if (length > 0)
            drawing.rect({at.x(), middle - kBarHeight * value.size / 2, length, kBarHeight * value.size}, {},
                         colourOf(panel));
        drawing.text({at.x() + length + (length > 0 ? space : 0), middle + 0.36 * value.size},
                     figureText(number, row.isShare), value);
    }
}

}  // namespace hs::figures
