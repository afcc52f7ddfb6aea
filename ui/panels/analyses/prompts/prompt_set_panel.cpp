#include "panels/analyses/prompts/prompt_set_panel.h"

#include "control/work/late_work.h"
#include "panels/analyses/prompts/prompt_order.h"
#include "panels/analyses/prompts/prompt_set_edits.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"
#include "panels/widgets/shown_tokens.h"
#include "train/named_prompts.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QTableView>

#include <algorithm>
#include <cmath>

namespace hs::panels {
namespace {

PromptList listOf(text::PromptSet set)
{
    auto prompts = std::make_shared<std::vector<text::SetPrompt>>();
    while (std::optional<text::SetPrompt> prompt = set.next())
        prompts->push_back(std::move(*prompt));
    return prompts;
}

}  // namespace

PromptSetPanel::PromptSetPanel(control::Explorer& explorer, QWidget* parent)
    : AnalysisFrame(explorer, service::AnalysisKind::Prompts, parent), m_rows(new PromptRows(this)),
      m_order(new PromptOrder(m_rows, this)), m_table(new QTableView(this)),
      m_late(new control::LateWork(this))
{
    setObjectName(QStringLiteral("promptSetPanel"));
    compose();
    refresh();
}

void PromptSetPanel::compose()
{
    composeForm();
    m_problem = newQuietLabel(this, QStringLiteral("promptSetProblem"));
    m_problem->hide();
    addRow(m_problem);
    composeTable();
    setContent(m_table,
               tr("Open a set of prompts: a text with one on each line, JSON lines or CSV with a field "
                  "“text”, a folder of texts, or a built-in task. Files can be dropped on the window."));
}

int PromptSetPanel::shownCount() const
{
    return m_order->rowCount();
}

int PromptSetPanel::indexAt(int row) const
{
    return m_order->mapToSource(m_order->index(row, 0)).row();
}

void PromptSetPanel::lookAt(const QModelIndex& row)
{
    if (row.isValid() && !m_isFollowing)
        lookAtPrompt(explorer(), m_rows->promptAt(m_order->mapToSource(row).row()));
}

void PromptSetPanel::change(const std::function<void()>& what)
{
    m_isFollowing = true;
    what();
    m_isFollowing = false;
    follow();
}

void PromptSetPanel::follow()
{
    const std::optional<int>& index = explorer().document().set.index;
    const bool isThere = index && *index < m_rows->rowCount();
    const QModelIndex row =
        isThere ? m_order->mapFromSource(m_rows->index(*index, PromptRows::Prompt)) : QModelIndex();
    if (row == m_table->currentIndex() && row.isValid())
        return;
    m_isFollowing = true;
    m_table->selectionModel()->setCurrentIndex(row, QItemSelectionModel::ClearAndSelect |
                                                        QItemSelectionModel::Rows);
    m_isFollowing = false;
    if (row.isValid())
        m_table->scrollTo(row);
}

void PromptSetPanel::read()
{
    Origin origin{control::setSource(explorer().document().set), {}};
    if (train::namesTask(origin.source.where))
        for (const Side side : kSides)
            if (const auto& model = explorer().state(side).model)
                origin.tokenizers[indexOf(side)] = model->tokenizer;
    if (origin == m_origin)
        return;
    m_origin = origin;
    m_late->cancel();
    if (origin.source.where.empty())
        return take({std::make_shared<const std::vector<text::SetPrompt>>(), {}});
    m_late->ask([this, origin]() -> control::LateWork::Take {
        return [this, reading = readingOf(origin)] { take(reading); };
    });
}

PromptSetPanel::Reading PromptSetPanel::readingOf(const Origin& origin)
{
    const auto of = [&](const text::Tokenizer* tokenizer) {
        return guarded([&] {
            return listOf(train::openPrompts(origin.source.where, text::PromptNeeds::Text, tokenizer,
                                             origin.source.pattern));
        });
    };
    const auto& [left, right] = origin.tokenizers;
    const Result<PromptList> list = of(left ? left.get() : right.get());
    if (!list)
        return {std::make_shared<const std::vector<text::SetPrompt>>(),
                QString::fromStdString(list.error().message)};
    if (left && right && left != right)
        if (const Result<PromptList> other = of(right.get()); !other || **other != **list)
            return {*list,
                    tr("The right model has other tokens, so its prompts of this task are not those listed: "
                       "open a file of prompts to compare the models.")};
    if ((*list)->empty())
        return {*list, tr("There are no prompts in it; write one on each line.")};
    const auto faulty =
        std::ranges::count_if(**list, [](const text::SetPrompt& prompt) { return !prompt.problem.empty(); });
    return {*list,
            faulty == 0
                ? QString()
                : tr("%1 of %2 prompts are left out: the list says why.").arg(faulty).arg((*list)->size())};
}

void PromptSetPanel::take(const Reading& reading)
{
    change([&] { m_rows->setPrompts(reading.prompts); });
    showText(*m_problem, reading.problem);
    refresh();
}

bool PromptSetPanel::hasContent() const
{
    return m_rows->rowCount() > 0;
}

void PromptSetPanel::showDocument()
{
    const control::SetChoice& set = explorer().document().set;
    read();
    const bool isOpen = !set.source.isEmpty();
    const QLocale locale;
    m_name->setText(!isOpen ? tr("no set is open")
                            : tr("%1, %2 prompts")
                                  .arg(fontMetrics().elidedText(promptSetName(set.source), Qt::ElideMiddle,
                                                                30 * fontMetrics().averageCharWidth()),
                                       locale.toString(m_rows->rowCount())));
    m_name->setToolTip(set.source);
    m_show->setCurrentIndex(set.average ? 1 + static_cast<int>(*set.average) : 0);
    m_align->setCurrentIndex(set.align ? 1 + static_cast<int>(*set.align) : 0);
    if (!m_pattern->hasFocus())
        m_pattern->setText(set.pattern);
    const QString reason = explorer().whyNoRun();
    greyOut(*m_open, reason, tr("A file, a folder or a built-in task"));
    const QString closed = !reason.isEmpty() ? reason
                           : isOpen          ? QString()
                                             : tr("Open a set of prompts first.");
    greyOut(*m_show, closed,
            tr("The prompt that is chosen in the list, or what all prompts of the set have together"));
    greyOut(*m_align, closed,
            tr("Which positions of the prompts are averaged together; automatically is by the slots of a "
               "template, otherwise from the start"));
    greyOut(*m_pattern, closed,
            tr("The prompts are this text with the file's values in place of the names in braces; empty: the "
               "file "
               "has whole prompts"));
}

void PromptSetPanel::showResult()
{
    std::array<std::shared_ptr<const analyses::SetResult>, 2> results;
    std::array<QString, 2> titles;
    for (const Side side : kSides) {
        titles[indexOf(side)] = sideTitle(explorer(), side);
        const auto& finding = state(side).finding;
        const bool isOfSet =
            finding && m_origin && finding->request.set == m_origin->source && explorer().state(side).model;
        if (const auto* const result = found<analyses::SetResult>(side); result && isOfSet)
            results[indexOf(side)] = {finding->result, result};
        const bool hasSide = explorer().state(side).model != nullptr;
        const int loss = side == Side::Left ? PromptRows::LeftLoss : PromptRows::RightLoss;
        m_table->setColumnHidden(loss, !hasSide);
        m_table->setColumnHidden(loss + 1, !hasSide);
    }
    const bool isPair = explorer().state(Side::Left).model && explorer().state(Side::Right).model;
    m_table->setColumnHidden(PromptRows::Difference, !isPair);
    m_different->setVisible(isPair);
    m_rows->setTitles(titles);
    change([&] { m_rows->setFound(results); });
    setSummary(summary());
}

/// "Mean loss: Demo, dense 3.21 ± 0.12, Demo, sparse 3.30 ± 0.11".
QString PromptSetPanel::summary() const
{
    QStringList sides;
    for (const Side side : kSides) {
        const auto* const result = found<analyses::SetResult>(side);
        const analyses::SetGroup* const overall = result ? result->group("overall") : nullptr;
        if (!overall || overall->at(0, 0).count() == 0)
            continue;
        const stats::Estimate loss = overall->at(0, 0).estimate();
        const QString spread =
            std::isnan(loss.high) ? QString() : tr(" ± %1").arg(formatNumber(loss.high - loss.mean, 2));
        sides << QStringLiteral("%1 %2%3").arg(sideTitle(explorer(), side), formatNumber(loss.mean, 2),
                                               spread);
    }
    return sides.isEmpty() ? QString() : tr("Mean loss: %1").arg(sides.join(QStringLiteral(", ")));
}

figures::DataTable PromptSetPanel::table() const
{
    figures::DataTable table;
    const std::vector<std::pair<const char*, int>> columns = {{"left_loss", PromptRows::LeftLoss},
                                                              {"left_probability", PromptRows::LeftAnswer},
                                                              {"right_loss", PromptRows::RightLoss},
                                                              {"right_probability", PromptRows::RightAnswer},
                                                              {"difference", PromptRows::Difference}};
    table.columns.push_back({"prompt", {}});
    for (const auto& [name, column] : columns)
        table.columns.push_back({name, {}});
    for (int row = 0; row < m_rows->rowCount(); ++row) {
        table.columns.front().values.push_back(row);
        for (std::size_t at = 0; at < columns.size(); ++at)
            table.columns[at + 1].values.push_back(m_rows->value(row, columns[at].second));
    }
    return table;
}

QString PromptSetPanel::partOf(const service::AnalysisResult& result) const
{
    const auto* const set = std::get_if<analyses::SetResult>(&result);
    return set ? tr("%1 of %2 prompts").arg(set->rows.size()).arg(set->promptCount) : QString();
}

}  // namespace hs::panels
