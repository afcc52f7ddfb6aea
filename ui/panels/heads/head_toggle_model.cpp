#include "panels/heads/head_toggle_model.h"

#include "panels/widgets/ablation_names.h"

#include <algorithm>

namespace hs::panels {
namespace {

QString signOf(const HeadChange& change)
{
    switch (change.kind) {
    case HeadChange::Kind::Zero: break;
    case HeadChange::Kind::Mean: return QStringLiteral("µ");
    case HeadChange::Kind::Replace: return QStringLiteral("←");
    case HeadChange::Kind::Cells: return QStringLiteral("▚");
    }
    return {};
}

}  // namespace

HeadToggleModel::HeadToggleModel(control::Explorer& explorer, QObject* parent)
    : QAbstractTableModel(parent), m_explorer(explorer)
{
    refresh();
}

void HeadToggleModel::setSide(Side side)
{
    if (side == m_side)
        return;
    m_side = side;
    refresh();
}

void HeadToggleModel::refresh()
{
    const auto& model = m_explorer.state(m_side).model;
    const HeadShape shape = model ? model->heads : HeadShape();
    m_matching = m_explorer.matchingHeads(m_side);
    if (shape != m_shape) {
        beginResetModel();
        m_shape = shape;
        endResetModel();
    } else if (m_shape.total() > 0) {
        Q_EMIT dataChanged(index(0, 0), index(m_shape.layers - 1, m_shape.heads - 1));
        Q_EMIT headerDataChanged(Qt::Vertical, 0, m_shape.layers - 1);
        Q_EMIT headerDataChanged(Qt::Horizontal, 0, m_shape.heads - 1);
    }
}

bool HeadToggleModel::isAblated(HeadId head) const
{
    return m_explorer.document().side(m_side).ablations.contains(head);
}

void HeadToggleModel::toggle(HeadId head)
{
    if (m_shape.contains(head))
        m_explorer.toggleAblation(m_side, {head});
}

void HeadToggleModel::toggleLayer(int layer)
{
    std::set<HeadId> heads;
    for (int head = 0; head < m_shape.heads; ++head)
        heads.insert({layer, head});
    toggleAll(heads);
}

void HeadToggleModel::toggleColumn(int head)
{
    std::set<HeadId> heads;
    for (int layer = 0; layer < m_shape.layers; ++layer)
        heads.insert({layer, head});
    toggleAll(heads);
}

void HeadToggleModel::toggleAll(const std::set<HeadId>& heads)
{
    const bool doesAnyRun =
        std::any_of(heads.begin(), heads.end(), [this](HeadId head) { return !isAblated(head); });
    m_explorer.setAblated(m_side, heads, doesAnyRun);
}

int HeadToggleModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_shape.layers;
}

int HeadToggleModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_shape.heads;
}

Qt::ItemFlags HeadToggleModel::flags(const QModelIndex& index) const
{
    return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable
                           : Qt::ItemFlags(Qt::NoItemFlags);
}

QVariant HeadToggleModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const HeadId head = headAt(index);
    const auto& ablations = m_explorer.document().side(m_side).ablations;
    const auto found = ablations.find(head);
    switch (role) {
    case Qt::CheckStateRole: return found == ablations.end() ? Qt::Checked : Qt::Unchecked;
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        return found == ablations.end() ? tr("%1 runs").arg(QString::fromStdString(toString(head)))
                                        : describeAblation(head, found->second);
    case IsSelected: return m_explorer.selection(m_side).contains(head);
    case IsMatching: return m_matching.contains(head);
    case Sign: return found == ablations.end() ? QString() : signOf(found->second);
    default: return {};
    }
}

bool HeadToggleModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!index.isValid() || role != Qt::CheckStateRole)
        return false;
    m_explorer.setAblated(m_side, {headAt(index)}, value.toInt() != Qt::Checked);
    return true;
}

QVariant HeadToggleModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const bool isLayer = orientation == Qt::Vertical;
    switch (role) {
    case Qt::DisplayRole: return isLayer ? QStringLiteral("L%1").arg(section) : QString::number(section);
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        return isLayer ? tr("Layer %1: click to ablate or restore all its heads").arg(section)
                       : tr("Head %1: click to ablate or restore it in every layer").arg(section);
    case Qt::TextAlignmentRole:
        return static_cast<int>(isLayer ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignCenter);
    default: return {};
    }
}

}  // namespace hs::panels
