#include "panels/analyses/prompts/prompt_order.h"

#include "panels/analyses/prompts/prompt_rows.h"

#include <cmath>

namespace hs::panels {

PromptOrder::PromptOrder(PromptRows* rows, QObject* parent) : QSortFilterProxyModel(parent), m_rows(rows)
{
    setSourceModel(rows);
    setDynamicSortFilter(true);
}

void PromptOrder::setWords(const QString& words)
{
    if (words == m_words)
        return;
    m_words = words;
    invalidateFilter();
}

void PromptOrder::setOnlyDifferent(bool isOnly)
{
    if (isOnly == m_isOnlyDifferent)
        return;
    m_isOnlyDifferent = isOnly;
    invalidateFilter();
}

bool PromptOrder::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const int column = left.column();
    if (column == PromptRows::Prompt)
        return m_rows->promptAt(left.row()).text < m_rows->promptAt(right.row()).text;
    if (column == PromptRows::LeftAnswer || column == PromptRows::RightAnswer) {
        const Side side = column == PromptRows::LeftAnswer ? Side::Left : Side::Right;
        const analyses::SetAnswer* const one = m_rows->answerAt(left.row(), side);
        const analyses::SetAnswer* const other = m_rows->answerAt(right.row(), side);
        if (one && other && one->answer != other->answer)
            return one->answer < other->answer;
    }
    const double one = m_rows->value(left.row(), column);
    const double other = m_rows->value(right.row(), column);
    if (std::isnan(one) || std::isnan(other)) {
        const bool isAscending = sortOrder() == Qt::AscendingOrder;
        return isAscending ? !std::isnan(one) && std::isnan(other) : std::isnan(one) && !std::isnan(other);
    }
    return one < other;
}

bool PromptOrder::filterAcceptsRow(int row, const QModelIndex& /*parent*/) const
{
    if (m_isOnlyDifferent && !m_rows->isDifferent(row))
        return false;
    if (m_words.isEmpty())
        return true;
    for (const int column : {PromptRows::Prompt, PromptRows::LeftAnswer, PromptRows::RightAnswer})
        if (m_rows->index(row, column).data().toString().contains(m_words, Qt::CaseInsensitive))
            return true;
    return false;
}

}  // namespace hs::panels
