#include "panels/analyses/prompts/prompt_order.h"
#include "panels/analyses/prompts/prompt_set_edits.h"
#include "panels/analyses/prompts/prompt_set_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTableView>

namespace hs::panels {
namespace {

constexpr int kTaskPrompts = 100;

struct TaskEntry {
    text::PairTask task;
    const char* title;
};

constexpr TaskEntry kTaskEntries[] = {
    {text::PairTask::IndirectObjects, QT_TRANSLATE_NOOP("hs::panels::PromptSetPanel", "&Indirect objects")},
    {text::PairTask::GreaterThan, QT_TRANSLATE_NOOP("hs::panels::PromptSetPanel", "&Greater than")},
    {text::PairTask::Opposites, QT_TRANSLATE_NOOP("hs::panels::PromptSetPanel", "&Opposites")},
    {text::PairTask::Induction, QT_TRANSLATE_NOOP("hs::panels::PromptSetPanel", "I&nduction")},
};

}  // namespace

QMenu* PromptSetPanel::newOpenMenu()
{
    auto* const menu = new QMenu(this);
    menu->addAction(tr("&File…"), this, [this] {
        const QString file = QFileDialog::getOpenFileName(this, tr("Open prompts"), {}, promptFilter());
        if (!file.isEmpty())
            openPromptSet(explorer(), file);
    });
    menu->addAction(tr("F&older of texts…"), this, [this] {
        const QString folder = QFileDialog::getExistingDirectory(this, tr("Open prompts"));
        if (!folder.isEmpty())
            openPromptSet(explorer(), folder);
    });
    menu->addSection(tr("%1 prompts of a task").arg(kTaskPrompts));
    for (const TaskEntry& entry : kTaskEntries) {
        const std::string_view word = wordOf(entry.task);
        const QString source = QStringLiteral("task:%1:%2")
                                   .arg(QLatin1String(word.data(), static_cast<qsizetype>(word.size())))
                                   .arg(kTaskPrompts);
        menu->addAction(tr(entry.title), this, [this, source] { openPromptSet(explorer(), source); });
    }
    menu->addSeparator();
    menu->addAction(tr("&Close the set"), this, [this] { openPromptSet(explorer(), {}); });
    return menu;
}

void PromptSetPanel::composeForm()
{
    m_open = new QPushButton(tr("Open"), this);
    m_open->setObjectName(QStringLiteral("openSet"));
    m_open->setAccessibleName(tr("Open a set of prompts"));
    m_open->setAutoDefault(false);
    m_open->setMenu(newOpenMenu());
    addControl(m_open);
    m_name = new QLabel(this);
    m_name->setObjectName(QStringLiteral("setName"));
    addControl(m_name);
    m_show = addChoice("setShows", tr("Tiles show"),
                       {tr("this prompt"), tr("mean of all"), tr("largest of all"), tr("deviation over all")},
                       [this](int index) {
                           explorer().edit(tr("Show the set"), [index](control::Document& document) {
                               document.set.average.reset();
                               if (index > 0)
                                   document.set.average = static_cast<analyses::SetAverage>(index - 1);
                           });
                       });
    m_align = addChoice("setAlign", tr("aligned"),
                        {tr("automatically"), tr("from the start"), tr("from the end"), tr("by slots")},
                        [this](int index) {
                            explorer().edit(tr("Align the set"), [index](control::Document& document) {
                                document.set.align.reset();
                                if (index > 0)
                                    document.set.align = static_cast<analyses::SetAlign>(index - 1);
                            });
                        });
    m_pattern = new QLineEdit(this);
    m_pattern->setObjectName(QStringLiteral("setTemplate"));
    m_pattern->setPlaceholderText(tr("{name} gave a {thing} to"));
    connect(m_pattern, &QLineEdit::editingFinished, this, [this] {
        const QString pattern = m_pattern->text();
        explorer().edit(tr("Fill a template"), [&](control::Document& document) {
            if (document.set.source.isEmpty() || document.set.pattern == pattern)
                return;
            document.set.pattern = pattern;
            document.set.index.reset();
        });
    });
    addField(tr("Template"), m_pattern);
    m_filter = new QLineEdit(this);
    m_filter->setObjectName(QStringLiteral("setFilter"));
    m_filter->setPlaceholderText(tr("words of a prompt or answer"));
    m_filter->setClearButtonEnabled(true);
    connect(m_filter, &QLineEdit::textChanged, this,
            [this](const QString& words) { change([&] { m_order->setWords(words); }); });
    addField(tr("Filter"), m_filter);
    m_different = new QCheckBox(tr("answers differ"), this);
    m_different->setObjectName(QStringLiteral("setDifferent"));
    m_different->setToolTip(tr("Only prompts that the two models answer differently"));
    connect(m_different, &QCheckBox::toggled, this,
            [this](bool isOn) { change([&] { m_order->setOnlyDifferent(isOn); }); });
    addControl(m_different);
}

void PromptSetPanel::composeTable()
{
    m_table->setObjectName(QStringLiteral("promptSetTable"));
    m_table->setAccessibleName(tr("Prompts of the set"));
    m_table->setModel(m_order);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(PromptRows::Number, Qt::AscendingOrder);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    QHeaderView* const header = m_table->horizontalHeader();
    header->setHighlightSections(false);
    const int letter = fontMetrics().averageCharWidth();
    constexpr std::array<int, PromptRows::kColumns> kLetters = {8, 40, 13, 20, 13, 20, 15};
    for (int column = 0; column < PromptRows::kColumns; ++column)
        header->resizeSection(column, kLetters[static_cast<std::size_t>(column)] * letter);
    header->setSectionResizeMode(PromptRows::Prompt, QHeaderView::Stretch);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row) { lookAt(row); });
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& row) { lookAt(row); });
}

}  // namespace hs::panels
