#include "panels/analyses/prompts/prompt_rows.h"

#include "control/document/token_label.h"
#include "panels/widgets/panel_style.h"

#include <QPalette>

#include <cmath>
#include <limits>

namespace hs::panels {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

Side sideOfColumn(int column)
{
    return column == PromptRows::LeftLoss || column == PromptRows::LeftAnswer ? Side::Left : Side::Right;
}

bool isNumberColumn(int column)
{
    return column == PromptRows::Number || column == PromptRows::LeftLoss ||
           column == PromptRows::RightLoss || column == PromptRows::Difference;
}

}  // namespace

void PromptRows::setPrompts(PromptList prompts)
{
    beginResetModel();
    m_prompts = std::move(prompts);
    m_found = {};
    m_places = {};
    m_problems.clear();
    for (const text::SetPrompt& prompt : *m_prompts)
        m_problems.push_back(QString::fromStdString(prompt.problem));
    endResetModel();
}

void PromptRows::setFound(const std::array<std::shared_ptr<const analyses::SetResult>, 2>& found)
{
    if (found == m_found)
        return;
    m_found = found;
    for (const Side side : kSides) {
        std::vector<int>& places = m_places[indexOf(side)];
        places.assign(m_prompts->size(), -1);
        const auto& result = found[indexOf(side)];
        if (!result)
            continue;
        for (std::size_t row = 0; row < result->rows.size(); ++row)
            if (const auto index = static_cast<std::size_t>(result->rows[row].index); index < places.size())
                places[index] = static_cast<int>(row);
        for (const text::LeftOutPrompt& prompt : result->leftOut)
            if (const auto index = static_cast<std::size_t>(prompt.index); index < m_problems.size())
                m_problems[index] = QString::fromStdString(prompt.problem);
    }
    if (!m_prompts->empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

void PromptRows::setTitles(const std::array<QString, 2>& titles)
{
    if (titles == m_titles)
        return;
    m_titles = titles;
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, kColumns - 1);
}

const analyses::SetAnswer* PromptRows::answerAt(int row, Side side) const
{
    const auto& places = m_places[indexOf(side)];
    const auto index = static_cast<std::size_t>(row);
    if (index >= places.size() || places[index] < 0)
        return nullptr;
    return &m_found[indexOf(side)]->rows[static_cast<std::size_t>(places[index])].sides.front();
}

QString PromptRows::problemAt(int row) const
{
    return m_problems[static_cast<std::size_t>(row)];
}

bool PromptRows::isDifferent(int row) const
{
    const analyses::SetAnswer* const left = answerAt(row, Side::Left);
    const analyses::SetAnswer* const right = answerAt(row, Side::Right);
    return left && right && left->answer != right->answer;
}

double PromptRows::value(int row, int column) const
{
    if (column == Number)
        return row;
    if (column == Difference)
        return value(row, RightLoss) - value(row, LeftLoss);
    const analyses::SetAnswer* const answer = answerAt(row, sideOfColumn(column));
    if (!answer)
        return kNoNumber;
    return column == LeftAnswer || column == RightAnswer ? answer->probability : answer->loss;
}

QString PromptRows::text(int row, int column) const
{
    if (column == Number)
        return QString::number(row + 1);
    if (column == Prompt) {
        const QString problem = problemAt(row);
        return problem.isEmpty() ? QString::fromStdString(promptAt(row).text).simplified() : problem;
    }
    if (column == LeftAnswer || column == RightAnswer) {
        const analyses::SetAnswer* const answer = answerAt(row, sideOfColumn(column));
        return answer ? tr("%1  %2").arg(control::tokenLabel(answer->answer),
                                         formatPercent(answer->probability, 0))
                      : QString();
    }
    const double number = value(row, column);
    if (std::isnan(number))
        return {};
    return column == Difference ? signedNumber(number, 2) : formatNumber(number, 2);
}

int PromptRows::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_prompts->size());
}

int PromptRows::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : kColumns;
}

QVariant PromptRows::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const int row = index.row();
    switch (role) {
    case Qt::DisplayRole: return text(row, index.column());
    case Qt::ToolTipRole:
        if (index.column() != Prompt)
            return {};
        return problemAt(row).isEmpty() ? QString::fromStdString(promptAt(row).text) : problemAt(row);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment(
            Qt::AlignVCenter | (isNumberColumn(index.column()) ? Qt::AlignRight : Qt::AlignLeft)));
    case Qt::ForegroundRole:
        return index.column() == Number || !problemAt(row).isEmpty() ? QVariant(quietInk(QPalette()))
                                                                     : QVariant();
    default: return {};
    }
}

QVariant PromptRows::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    const QString title =
        section >= LeftLoss && section <= RightAnswer ? m_titles[indexOf(sideOfColumn(section))] : QString();
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment(Qt::AlignVCenter | (isNumberColumn(section) ? Qt::AlignRight : Qt::AlignLeft)));
    if (role == Qt::ToolTipRole)
        switch (section) {
        case Number: return tr("The prompt's place in the set");
        case Prompt: return tr("Click a prompt, or go through them with the arrow keys: the grids follow");
        case LeftLoss:
        case RightLoss: return tr("Mean loss of the prompt's tokens in %1, in nats").arg(title);
        case LeftAnswer:
        case RightAnswer: return tr("The most probable next token in %1").arg(title);
        default: return tr("Loss of the right model minus that of the left one");
        }
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Number: return tr("no.");
    case Prompt: return tr("prompt");
    case LeftLoss: return tr("loss, left");
    case LeftAnswer: return tr("answer, left");
    case RightLoss: return tr("loss, right");
    case RightAnswer: return tr("answer, right");
    default: return tr("right − left");
    }
}

}  // namespace hs::panels
