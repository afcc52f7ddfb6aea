#pragma once

#include "analyses/set_result.h"
#include "base/side.h"
#include "text/prompt_set.h"

#include <QAbstractTableModel>

#include <array>
#include <memory>
#include <vector>

namespace hs::panels {

using PromptList = std::shared_ptr<const std::vector<text::SetPrompt>>;

/// One row per prompt of a set: its text, and what each model makes of it as far as that is known.
class PromptRows : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Number, Prompt, LeftLoss, LeftAnswer, RightLoss, RightAnswer, Difference, kColumns };

    using QAbstractTableModel::QAbstractTableModel;

    void setPrompts(PromptList prompts);
    /// What is known of the prompts; null: nothing. [Side]
    void setFound(const std::array<std::shared_ptr<const analyses::SetResult>, 2>& found);
    void setTitles(const std::array<QString, 2>& titles);  // [Side]

    const text::SetPrompt& promptAt(int row) const { return (*m_prompts)[static_cast<std::size_t>(row)]; }
    /// What a model answered; null while that is not known.
    const analyses::SetAnswer* answerAt(int row, Side side) const;
    /// Why nothing is known of a prompt and nothing will be; empty otherwise.
    QString problemAt(int row) const;
    /// Whether the two models answer with different tokens.
    bool isDifferent(int row) const;
    /// What a column of numbers is sorted by; NaN where there is none.
    double value(int row, int column) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(int row, int column) const;

    PromptList m_prompts = std::make_shared<const std::vector<text::SetPrompt>>();
    std::array<std::shared_ptr<const analyses::SetResult>, 2> m_found;  // [Side]
    std::array<std::vector<int>, 2> m_places;                           // [Side][row] in the result; -1: none
    std::vector<QString> m_problems;                                    // [row]
    std::array<QString, 2> m_titles;                                    // [Side]
};

}  // namespace hs::panels
