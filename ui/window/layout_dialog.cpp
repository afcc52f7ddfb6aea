#include "window/layout_dialog.h"

#include "base/failure.h"
#include "stats/metric_table.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QSpinBox>
#include <QVBoxLayout>

namespace hs::window {
namespace {

constexpr int kBothSides = -1;

QString listText(const std::vector<HeadId>& heads)
{
    QStringList names;
    for (const HeadId head : heads)
        names << QString::fromStdString(toString(head));
    return names.join(QStringLiteral(", "));
}

/// Heads named in any order, separated by commas, spaces or line ends.
std::vector<HeadId> headsIn(const QString& text, const HeadShape& shape)
{
    static const QRegularExpression separators(QStringLiteral("[\\s,;]+"));
    std::vector<HeadId> heads;
    for (const QString& item : text.split(separators, Qt::SkipEmptyParts))
        for (const HeadId head : orThrow(parseHeads(item.toStdString(), shape)))
            heads.push_back(head);
    return heads;
}

QSpinBox* number(int least, int most, const QString& special = {})
{
    auto* const box = new QSpinBox;
    box->setRange(least, most);
    box->setSpecialValueText(special);
    return box;
}

}  // namespace

LayoutDialog::LayoutDialog(control::Explorer& explorer, QWidget* parent)
    : QDialog(parent), m_explorer(explorer), m_side(new QComboBox), m_form(new QComboBox),
      m_flow(new QComboBox), m_blocks(number(0, 999, tr("automatic"))), m_layerStep(number(1, 999)),
      m_firstHead(number(0, 9999)), m_lastHead(number(-1, 9999, tr("last"))), m_list(new QPlainTextEdit),
      m_order(new QComboBox), m_isAscending(new QCheckBox(tr("Smallest first"))),
      m_columns(number(0, 999, tr("automatic"))), m_showsHidden(new QCheckBox(tr("Show hidden heads again"))),
      m_problem(new QLabel)
{
    setWindowTitle(tr("Layout of the grids"));
    m_side->addItem(tr("Both grids"), kBothSides);
    m_side->addItem(tr("Left grid"), int(Side::Left));
    m_side->addItem(tr("Right grid"), int(Side::Right));
    m_form->addItem(tr("Layers × heads"), int(control::GridChoice::Form::Matrix));
    m_form->addItem(tr("List, wrapped"), int(control::GridChoice::Form::List));
    m_flow->addItem(tr("Automatic: the largest tiles"), int(control::GridChoice::Flow::Automatic));
    m_flow->addItem(tr("Down"), int(control::GridChoice::Flow::LayersDown));
    m_flow->addItem(tr("Across"), int(control::GridChoice::Flow::LayersAcross));
    m_order->addItem(tr("As given"), QString());
    for (const stats::Metric& metric : stats::allMetrics()) {
        const QString name = QString::fromUtf8(metric.name.data(), static_cast<int>(metric.name.size()));
        m_order->addItem(QString(name).replace(QLatin1Char('_'), QLatin1Char(' ')), name);
    }
    m_order->addItem(tr("Kind"), control::kByKind);
    m_order->addItem(tr("Likeness"), control::kByLikeness);
    m_list->setPlaceholderText(tr("All heads, or for example L0H5, L5H1, L4H*"));
    m_list->setFixedHeight(64);
    m_problem->setWordWrap(true);
    m_problem->setObjectName(QStringLiteral("problem"));

    auto* const form = new QFormLayout;
    form->addRow(tr("&Grid"), m_side);
    form->addRow(tr("&Form"), m_form);
    form->addRow(tr("Layers &run"), m_flow);
    form->addRow(tr("&Blocks of layers"), m_blocks);
    form->addRow(tr("Every &n-th layer"), m_layerStep);
    form->addRow(tr("&First head"), m_firstHead);
    form->addRow(tr("&Last head"), m_lastHead);
    form->addRow(tr("&Heads"), m_list);
    form->addRow(tr("&Order"), m_order);
    form->addRow(QString(), m_isAscending);
    form->addRow(tr("&Columns"), m_columns);
    form->addRow(QString(), m_showsHidden);
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* const column = new QVBoxLayout(this);
    column->addLayout(form);
    column->addWidget(m_problem);
    column->addWidget(buttons);
    for (QWidget* const field : findChildren<QWidget*>())
        if (auto* const label = qobject_cast<QLabel*>(form->labelForField(field)))
            field->setAccessibleName(label->text().remove(QLatin1Char('&')));
    connect(m_side, &QComboBox::currentIndexChanged, this, [this] { load(sides().front()); });
    connect(m_form, &QComboBox::currentIndexChanged, this, &LayoutDialog::refresh);
    load(Side::Left);
}

std::vector<Side> LayoutDialog::sides() const
{
    const int chosen = m_side->currentData().toInt();
    return chosen == kBothSides ? std::vector<Side>(kSides.begin(), kSides.end())
                                : std::vector<Side>{static_cast<Side>(chosen)};
}

void LayoutDialog::load(Side side)
{
    const control::GridChoice& grid = m_explorer.document().side(side).grid;
    m_form->setCurrentIndex(m_form->findData(int(grid.form)));
    m_flow->setCurrentIndex(m_flow->findData(int(grid.flow)));
    m_blocks->setValue(grid.blocks);
    m_layerStep->setValue(grid.layerStep);
    m_firstHead->setValue(grid.firstHead);
    m_lastHead->setValue(grid.lastHead);
    m_list->setPlainText(listText(grid.list));
    m_order->setCurrentIndex(std::max(0, m_order->findData(grid.order)));
    m_isAscending->setChecked(grid.isAscending);
    m_columns->setValue(grid.columns);
    m_showsHidden->setChecked(false);
    m_showsHidden->setEnabled(!grid.hidden.empty());
    refresh();
}

void LayoutDialog::refresh()
{
    const bool isList = m_form->currentData().toInt() == int(control::GridChoice::Form::List);
    for (QWidget* const field :
         std::initializer_list<QWidget*>{m_flow, m_blocks, m_layerStep, m_firstHead, m_lastHead})
        field->setEnabled(!isList);
    for (QWidget* const field : std::initializer_list<QWidget*>{m_list, m_order, m_isAscending, m_columns})
        field->setEnabled(isList);
    m_problem->clear();
}

Result<control::GridChoice> LayoutDialog::choice() const
{
    return guarded([this] {
        control::GridChoice grid = m_explorer.document().side(sides().front()).grid;
        grid.form = static_cast<control::GridChoice::Form>(m_form->currentData().toInt());
        grid.flow = static_cast<control::GridChoice::Flow>(m_flow->currentData().toInt());
        grid.blocks = m_blocks->value();
        grid.layerStep = m_layerStep->value();
        grid.firstHead = m_firstHead->value();
        grid.lastHead = m_lastHead->value();
        grid.order = m_order->currentData().toString();
        grid.isAscending = m_isAscending->isChecked();
        grid.columns = m_columns->value();
        if (m_showsHidden->isChecked())
            grid.hidden.clear();
        const auto& model = m_explorer.state(sides().front()).model;
        grid.list = model ? headsIn(m_list->toPlainText(), model->heads) : std::vector<HeadId>{};
        return grid;
    });
}

void LayoutDialog::accept()
{
    const Result<control::GridChoice> chosen = choice();
    if (!chosen) {
        m_problem->setText(QString::fromStdString(chosen.error().message));
        return;
    }
    m_explorer.edit(tr("Layout"), [this, &chosen](control::Document& document) {
        for (const Side side : sides())
            document.side(side).grid = *chosen;
    });
    QDialog::accept();
}

}  // namespace hs::window
