#include "panels/analyses/lens/lens_model.h"

#include "panels/widgets/shown_tokens.h"

#include <QBrush>

#include <algorithm>
#include <cmath>
#include <limits>

namespace hs::panels {
namespace {

constexpr double kRankDecades = 4;  // a rank of 10,000 has no colour
constexpr int kDimmedAlpha = 110;

QString shortDepth(double layer)
{
    const auto whole = static_cast<int>(layer);
    if (whole != layer)
        return LensModel::tr("L%1 attn").arg(whole);
    return layer == 0 ? LensModel::tr("embed") : QStringLiteral("L%1").arg(whole - 1);
}

}  // namespace

void LensModel::setContent(const LensContent& content)
{
    beginResetModel();
    m_content = content;
    m_names.clear();
    if (content.lens)
        for (const engine::LensLayer& layer : content.lens->layers)
            for (const engine::LensReading& reading : layer.positions)
                if (const std::int64_t token = reading.top.at(0).token; !m_names.contains(token))
                    m_names.insert(token, tokenName(*content.model, token));
    endResetModel();
}

void LensModel::setColours(const render::ColourMap& colours, bool isDimmed)
{
    m_colours = colours.table(render::Scale::Linear);
    m_isDimmed = isDimmed;
    if (rowCount() > 0 && columnCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int LensModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_content.lens ? 0 : static_cast<int>(m_content.lens->layers.size());
}

int LensModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() || rowCount() == 0 ? 0 : static_cast<int>(layerAt(0).positions.size());
}

const engine::LensLayer& LensModel::layerAt(int row) const
{
    return m_content.lens->layers[m_content.lens->layers.size() - 1 - static_cast<std::size_t>(row)];
}

const engine::LensReading& LensModel::readingAt(const QModelIndex& index) const
{
    return layerAt(index.row()).positions[static_cast<std::size_t>(index.column())];
}

QString LensModel::depthWords(int row) const
{
    const double layer = layerAt(row).layer;
    const auto whole = static_cast<int>(layer);
    if (whole != layer)
        return tr("in L%1, before its MLP").arg(whole);
    return layer == 0 ? tr("embedding") : tr("after L%1").arg(whole - 1);
}

QString LensModel::nameOf(std::int64_t token) const
{
    return tokenName(*m_content.model, token);
}

double LensModel::saliencyOf(int position) const
{
    if (!m_content.saliency)
        return std::numeric_limits<double>::quiet_NaN();
    const std::vector<double>& values = m_content.choice.saliency == control::LensChoice::Saliency::Integrated
                                            ? m_content.saliency->integrated
                                            : m_content.saliency->gradientTimesInput;
    return position < static_cast<int>(values.size()) ? values[static_cast<std::size_t>(position)]
                                                      : std::numeric_limits<double>::quiet_NaN();
}

double LensModel::largestSaliency() const
{
    double largest = 0;
    for (int position = 0; position < columnCount(); ++position)
        largest = std::fmax(largest, std::abs(saliencyOf(position)));
    return largest;
}

double LensModel::strength(const engine::LensReading& reading) const
{
    if (m_content.choice.colour == control::LensChoice::Colour::Probability)
        return reading.top.front().probability;
    return 1 - std::log10(static_cast<double>(reading.watched.at(0).rank)) / kRankDecades;
}

QVariant LensModel::data(const QModelIndex& index, int role) const
{
    const engine::LensReading& reading = readingAt(index);
    const auto level = static_cast<int>(std::lround(255 * std::clamp(strength(reading), 0.0, 1.0)));
    QColor ground = QColor::fromRgb(m_colours[level]);
    const bool isDark = qGray(ground.rgb()) < 128;
    if (m_isDimmed)
        ground.setAlpha(kDimmedAlpha);
    switch (role) {
    case Qt::DisplayRole: return m_names.value(reading.top.front().token);
    case Qt::BackgroundRole: return QBrush(ground);
    case Qt::ForegroundRole:
        return m_isDimmed ? QVariant() : QVariant(QBrush(isDark ? Qt::white : Qt::black));
    case Qt::TextAlignmentRole: return static_cast<int>(Qt::AlignCenter);
    default: return {};
    }
}

QVariant LensModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || section >= (orientation == Qt::Horizontal ? columnCount() : rowCount()))
        return {};
    return orientation == Qt::Horizontal ? m_content.tokens.value(section)
                                         : shortDepth(layerAt(section).layer);
}

}  // namespace hs::panels
