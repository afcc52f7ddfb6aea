#pragma once

#include "base/side.h"
#include "start/listed_models.h"

#include <QAbstractListModel>

#include <functional>

namespace hs::start {

/// The lines of the start page: models under the headings of their groups.
class ModelRows : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role {
        FactsRole = Qt::UserRole,  // family, heads, size and place, or why it cannot be opened
        FitRole,                   // whether it fits in memory, in words
        HeadingRole,               // bool: a group's heading and no model
        OpenableRole,              // bool
        TightRole,                 // bool: there is too little memory for it now
        PairRole,                  // bool: the demo pair, which takes both sides
    };

    using QAbstractListModel::QAbstractListModel;

    void setModels(std::vector<ListedModel> models);
    /// Where a model is open now, in words; empty if it is not.
    void setOpen(std::function<QString(const model::FoundModel&)> open);
    /// Null for a heading.
    const ListedModel* modelAt(const QModelIndex& index) const;
    /// The line of a model; invalid if it is not listed.
    QModelIndex find(const std::string& where) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    struct Row {
        ListedModel::Group group;
        int model;  // of m_models; -1: the group's heading
    };

    QString fitText(const ListedModel& model) const;

    std::vector<ListedModel> m_models;
    std::vector<Row> m_rows;
    std::function<QString(const model::FoundModel&)> m_open;
};

}  // namespace hs::start
