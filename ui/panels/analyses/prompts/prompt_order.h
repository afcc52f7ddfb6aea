#pragma once

#include <QSortFilterProxyModel>

namespace hs::panels {

class PromptRows;

/// The prompts as the table shows them: those that match, sorted by a column; those without a number last in either
/// order.
class PromptOrder : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit PromptOrder(PromptRows* rows, QObject* parent = nullptr);

    /// Words that a prompt or an answer has; empty: all match.
    void setWords(const QString& words);
    /// Only prompts that both models answer, and answer differently.
    void setOnlyDifferent(bool isOnly);

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    PromptRows* m_rows;
    QString m_words;
    bool m_isOnlyDifferent = false;
};

}  // namespace hs::panels
