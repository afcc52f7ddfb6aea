#include "figures/presets/head_matrix.h"

#include "figures/parts/sheet.h"
#include "render/translate.h"

#include <algorithm>
#include <cmath>

namespace hs::figures {
namespace {

constexpr double kNumberShare = 0.86;     // of a cell's width that a number may take
constexpr double kMatrixLabelGap = 0.4;   // of the label's size
constexpr double kMatrixCapitals = 0.72;  // of the text size
constexpr double kLeastRuled = 6;         // points, for cells with lines between them
constexpr double kMlpGap = 0.5;           // of a cell, between heads and MLPs

TextStyle labelStyle(const Form& form)
{
    return {form.smallSize(), QFont::Normal, render::FigureStyle::kQuietInk, {}};
}

QString layerLabel(int layer)
{
    return QStringLiteral("L%1").arg(layer);
}

QString headLabel(int head)
{
    return QStringLiteral("H%1").arg(head);
}

QString mlpLabel()
{
    return QString::fromLatin1(kMlpName.data(), static_cast<qsizetype>(kMlpName.size()));
}

double widestLabel(const Drawing& drawing, const TextStyle& style, int count, QString (*label)(int))
{
    double widest = 0;
    for (int index = 0; index < count; ++index)
        widest = std::max(widest, drawing.widthOf(label(index), style));
    return widest;
}

double valueAt(const SummaryPanel& panel, HeadId head)
{
    return panel.values[static_cast<std::size_t>(panel.heads.indexOf(head))];
}

/// One in how many cells has room for a label of `length`.
int labelStep(double length, double cellSide)
{
    return std::max(1, static_cast<int>(std::ceil(length / cellSide)));
}

}  // namespace

QString cellNumber(double value, bool hasLeadingZero)
{
    if (std::isnan(value))
        return {};
    if (value < 0) {
        const QString number = cellNumber(-value, hasLeadingZero);
        return number == QLatin1String("0") ? number : QChar(0x2212) + number;
    }
    if (std::abs(value) < 0.005)
        return QStringLiteral("0");
    const double magnitude = std::abs(value);
    QString number = QString::number(value, 'f', magnitude < 0.995 ? 2 : magnitude < 9.95 ? 1 : 0);
    if (number.endsWith(QLatin1String(".0")))
        number.chop(2);
    if (!hasLeadingZero)
        number.replace(QLatin1String("0."), QLatin1String("."));
    return number;
}

CellNumbers fittingNumbers(const std::vector<SummaryPanel>& panels, const Form& form, double cellSide)
{
    for (const bool hasLeadingZero : {true, false}) {
        double widest = 0;
        for (const SummaryPanel& panel : panels)
            for (const std::vector<double>* const values : {&panel.values, &panel.mlps})
                for (const double value : *values)
                    widest = std::max(widest, render::textWidth(cellNumber(value, hasLeadingZero), 1,
                                                                QFont::Normal, form.fontFamily));
        if (!(widest > 0))
            return {};
        const double size = std::min({kNumberShare * cellSide / widest, cellSide / 1.5, form.smallSize()});
        if (size >= Form::kLeastText)
            return {size, hasLeadingZero};
    }
    return {};
}

HeadMatrix::HeadMatrix(const SummaryPanel& panel, const Form& form, double cellSide)
    : m_panel(panel), m_form(form), m_cellSide(cellSide)
{
    Drawing measure(form.fontFamily);
    const TextStyle style = labelStyle(form);
    const double heading = drawHeading(measure, {}, panel.title, caption(), 1e6, form);
    const double widest = widestLabel(measure, style, panel.heads.layers, layerLabel);
    m_origin = {widest + kMatrixLabelGap * style.size, heading + (1 + kMatrixLabelGap) * style.size};
}

QString HeadMatrix::caption() const
{
    const HeadShape& shape = m_panel.heads;
    const QString layers = shape.layers == 1 ? tr("1 layer") : tr("%1 layers").arg(shape.layers);
    const QString heads = shape.heads == 1 ? tr("1 head") : tr("%1 heads").arg(shape.heads);
    const QString mlps = m_panel.mlps.empty() ? QString() : tr(" and MLP");
    return QStringLiteral("%1 × %2").arg(layers, heads) + mlps;
}

double HeadMatrix::mlpWidth() const
{
    if (m_panel.mlps.empty())
        return 0;
    const double label =
        render::textWidth(mlpLabel(), labelStyle(m_form).size, QFont::Normal, m_form.fontFamily);
    return (kMlpGap + 1) * m_cellSide + std::max(0.0, label - m_cellSide);
}

QRectF HeadMatrix::mlpPlace(QPointF at) const
{
    return {at + QPointF(grid().width() + kMlpGap * m_cellSide, 0), QSizeF(m_cellSide, grid().height())};
}

double HeadMatrix::headingWidth() const
{
    return std::max(render::textWidth(m_panel.title, m_form.titleSize(), QFont::DemiBold, m_form.fontFamily),
                    render::textWidth(caption(), m_form.fontSize, QFont::Normal, m_form.fontFamily));
}

void HeadMatrix::draw(Drawing& drawing, QPointF at, const ValueColours& colours, const CellNumbers& numbers,
                      double headingWidth) const
{
    drawHeading(drawing, at, m_panel.title, caption(), std::max(size().width(), headingWidth), m_form);
    if (m_panel.heads.total() == 0)
        return;
    const QRectF place(at + m_origin, grid());
    drawCells(drawing, place, colours);
    if (!m_panel.mlps.empty())
        drawMlps(drawing, mlpPlace(place.topLeft()), colours);
    if (numbers.size > 0)
        drawNumbers(drawing, place.topLeft(), colours, numbers);
    drawLabels(drawing, place.topLeft());
}

void HeadMatrix::drawCells(Drawing& drawing, const QRectF& place, const ValueColours& colours) const
{
    const HeadShape& shape = m_panel.heads;
    QImage levels = colours.levels(shape.heads, shape.layers);
    QPainterPath unknown;
    QPainterPath absent;
    for (int index = 0; index < shape.total(); ++index) {
        const HeadId head = shape.at(index);
        const double value = valueAt(m_panel, head);
        if (!shape.contains(head))
            absent.addRect(QRectF(place.topLeft() + QPointF(head.head, head.layer) * m_cellSide,
                                  QSizeF(m_cellSide, m_cellSide)));
        else if (std::isnan(value))
            unknown.addRect(QRectF(place.topLeft() + QPointF(head.head, head.layer) * m_cellSide,
                                   QSizeF(m_cellSide, m_cellSide)));
        else
            levels.scanLine(head.layer)[head.head] = static_cast<uchar>(colours.levelOf(value));
    }
    drawing.cells(place, levels);
    if (!unknown.isEmpty())
        drawing.shape(unknown, {}, render::FigureStyle::kHatchGround);
    if (!absent.isEmpty())
        drawing.shape(absent, {}, render::FigureStyle::kPaper);
    drawFrame(drawing, place, shape.heads);
}

void HeadMatrix::drawMlps(Drawing& drawing, const QRectF& place, const ValueColours& colours) const
{
    QImage levels = colours.levels(1, m_panel.heads.layers);
    for (int layer = 0; layer < m_panel.heads.layers; ++layer)
        levels.scanLine(layer)[0] =
            static_cast<uchar>(colours.levelOf(m_panel.mlps[static_cast<std::size_t>(layer)]));
    drawing.cells(place, levels);
    drawFrame(drawing, place, 1);
}

/// Around all cells, and lines between them where they are large enough.
void HeadMatrix::drawFrame(Drawing& drawing, const QRectF& place, int columns) const
{
    const double reach = m_form.lineWidth / 2;
    const QRectF inside = place.adjusted(reach, reach, -reach, -reach);
    QPainterPath rules;
    if (m_cellSide >= kLeastRuled) {
        for (int column = 1; column < columns; ++column) {
            rules.moveTo(place.left() + column * m_cellSide, inside.top());
            rules.lineTo(place.left() + column * m_cellSide, inside.bottom());
        }
        for (int row = 1; row < m_panel.heads.layers; ++row) {
            rules.moveTo(inside.left(), place.top() + row * m_cellSide);
            rules.lineTo(inside.right(), place.top() + row * m_cellSide);
        }
    }
    if (!rules.isEmpty())
        drawing.shape(rules, Stroke{render::FigureStyle::kPaper, m_form.lineWidth, false});
    drawing.rect(inside, Stroke{render::FigureStyle::kFrame, m_form.lineWidth, false});
}

void HeadMatrix::drawNumbers(Drawing& drawing, QPointF at, const ValueColours& colours,
                             const CellNumbers& numbers) const
{
    const auto write = [&](double value, double middle, int layer) {
        const QRgb ink = std::isnan(value) ? render::FigureStyle::kQuietInk : inkOn(colours.at(value));
        drawing.text({middle, at.y() + (layer + 0.5) * m_cellSide + kMatrixCapitals / 2 * numbers.size},
                     cellNumber(value, numbers.hasLeadingZero), {numbers.size, QFont::Normal, ink, {}},
                     Align::Centre);
    };
    for (const HeadId head : m_panel.heads.all())
        write(valueAt(m_panel, head), at.x() + (head.head + 0.5) * m_cellSide, head.layer);
    for (std::size_t layer = 0; layer < m_panel.mlps.size(); ++layer)
        write(m_panel.mlps[layer], mlpPlace(at).center().x(), static_cast<int>(layer));
}

void HeadMatrix::drawLabels(Drawing& drawing, QPointF at) const
{
    const HeadShape& shape = m_panel.heads;
    const TextStyle style = labelStyle(m_form);
    const int rowStep = labelStep(1.1 * style.size, m_cellSide);
    for (int layer = 0; layer < shape.layers; layer += rowStep)
        drawing.text(at + QPointF(-kMatrixLabelGap * style.size,
                                  (layer + 0.5) * m_cellSide + kMatrixCapitals / 2 * style.size),
                     layerLabel(layer), style, Align::Right);
    const double widest = widestLabel(drawing, style, shape.heads, headLabel);
    const int columnStep = labelStep(widest + 0.5 * style.size, m_cellSide);
    for (int head = 0; head < shape.heads; head += columnStep)
        drawing.text(at + QPointF((head + 0.5) * m_cellSide, -kMatrixLabelGap * style.size), headLabel(head),
                     style, Align::Centre);
    if (!m_panel.mlps.empty())  // where it is wider than its column, it goes on to the right
        drawing.text({mlpPlace(at).left() + std::max(m_cellSide, drawing.widthOf(mlpLabel(), style)) / 2,
                      at.y() - kMatrixLabelGap * style.size},
                     mlpLabel(), style, Align::Centre);
    if (rowStep > 1 || columnStep > 1)
        drawing.note(tr("Not every layer and head of a matrix is labelled, because cells of %1 mm are too "
                        "small for text of %2 pt; a wider figure labels more of them.")
                         .arg(m_cellSide * 25.4 / 72, 0, 'f', 1)
                         .arg(Form::kLeastText));
}

}  // namespace hs::figures
