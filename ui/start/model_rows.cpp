#include "start/model_rows.h"

#include "base/text_format.h"

#include <QDir>

#include <algorithm>

namespace hs::start {
namespace {

QString titleOfGroup(ListedModel::Group group)
{
    switch (group) {
    case ListedModel::Group::Demo: return ModelRows::tr("Ships with HeadScope");
    case ListedModel::Group::Recent: return ModelRows::tr("Opened before");
    case ListedModel::Group::Downloaded: return ModelRows::tr("On this computer");
    case ListedModel::Group::Beside: return ModelRows::tr("Beside models you opened");
    }
    return {};
}

QString bytesText(std::uint64_t bytes)
{
    return QString::fromStdString(formatBytes(bytes));
}

QString nameOfLine(const ListedModel& model)
{
    return model.group == ListedModel::Group::Demo ? ModelRows::tr("Demo pair")
                                                   : QString::fromStdString(model.found.name);
}

/// With the home folder as people write it.
QString shownPath(const ListedModel& model)
{
    QString path = QString::fromStdString(model.found.folder.string());
    if (const QString home = QDir::homePath(); path.startsWith(home + QLatin1Char('/')))
        path.replace(0, home.size(), QStringLiteral("~"));
    return path;
}

QString factsOf(const ListedModel& model)
{
    if (!model.canOpen())
        return QString::fromStdString(model.found.problem);
    QStringList facts;
    if (model.group == ListedModel::Group::Demo)
        facts << ModelRows::tr("a dense model and its sparse twin");
    else if (!model.found.family.empty())
        facts << QString::fromStdString(model.found.family);
    if (const auto& spec = model.found.spec)
        facts << ModelRows::tr("%1 × %2 heads").arg(spec->layers).arg(spec->heads);
    facts << bytesText(model.found.bytesOnDisk);
    if (model.group == ListedModel::Group::Recent || model.group == ListedModel::Group::Beside)
        facts << shownPath(model);
    return facts.join(QStringLiteral(" · "));
}

}  // namespace

void ModelRows::setModels(std::vector<ListedModel> models)
{
    beginResetModel();
    m_models = std::move(models);
    m_rows.clear();
    for (int index = 0; index < static_cast<int>(m_models.size()); ++index) {
        const ListedModel::Group group = m_models[static_cast<std::size_t>(index)].group;
        if (m_rows.empty() || m_rows.back().group != group)
            m_rows.push_back({group, -1});
        m_rows.push_back({group, index});
    }
    endResetModel();
}

void ModelRows::setOpen(std::function<QString(const model::FoundModel&)> open)
{
    m_open = std::move(open);
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0), index(rowCount() - 1));
}

const ListedModel* ModelRows::modelAt(const QModelIndex& index) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return nullptr;
    const int model = m_rows[static_cast<std::size_t>(index.row())].model;
    return model < 0 ? nullptr : &m_models[static_cast<std::size_t>(model)];
}

QModelIndex ModelRows::find(const std::string& where) const
{
    for (int row = 0; row < rowCount(); ++row)
        if (const ListedModel* const model = modelAt(index(row)); model && model->found.where == where)
            return index(row);
    return {};
}

int ModelRows::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QString ModelRows::fitText(const ListedModel& model) const
{
    const QString open = m_open ? m_open(model.found) : QString();
    if (!open.isEmpty() || !model.canOpen() || !model.fit)
        return open;
    const QString needed = bytesText(model.fit->needed);
    if (!model.fit->available)
        return tr("needs %1").arg(needed);
    const QString free = bytesText(*model.fit->available);
    return model.fit->fits() ? tr("fits: needs %1 of %2").arg(needed, free)
                             : tr("too large: needs %1 of %2").arg(needed, free);
}

QVariant ModelRows::data(const QModelIndex& index, int role) const
{
    const ListedModel* const model = modelAt(index);
    if (!model) {
        const bool isText = role == Qt::DisplayRole || role == Qt::AccessibleTextRole;
        return role == HeadingRole ? QVariant(true)
               : isText            ? titleOfGroup(m_rows[static_cast<std::size_t>(index.row())].group)
                                   : QVariant();
    }
    switch (role) {
    case Qt::DisplayRole: return nameOfLine(*model);
    case Qt::ToolTipRole:
        return model->canOpen() ? QString::fromStdString(model->found.folder.string()) : factsOf(*model);
    case Qt::AccessibleTextRole: {
        QStringList words = {nameOfLine(*model), factsOf(*model), fitText(*model)};
        words.removeAll(QString());
        return words.join(QStringLiteral(", "));
    }
    case FactsRole: return factsOf(*model);
    case FitRole: return fitText(*model);
    case HeadingRole: return false;
    case OpenableRole: return model->canOpen();
    case TightRole: return model->fit && !model->fit->fits();
    case PairRole: return model->group == ListedModel::Group::Demo;
    default: return {};
    }
}

Qt::ItemFlags ModelRows::flags(const QModelIndex& index) const
{
    return modelAt(index) ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::NoItemFlags;
}

}  // namespace hs::start
