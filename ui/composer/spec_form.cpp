#include "composer/spec_form.h"

#include "panels/widgets/panel_widgets.h"

#include <QFormLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace hs::composer {
namespace {

constexpr int kLabelWidth = 92;  // the same in every group, so that fields share an edge
constexpr int kRowGap = 6;

}  // namespace

SpecForm::SpecForm(control::Explorer& explorer, const QString& title, QWidget* parent)
    : QWidget(parent), m_explorer(explorer), m_rows(new QFormLayout)
{
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kRowGap);
    if (!title.isEmpty()) {
        m_title = panels::newHeading(this, QString());
        m_title->setText(title);
        column->addWidget(m_title);
    }
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setVerticalSpacing(kRowGap);
    m_rows->setHorizontalSpacing(8);
    m_rows->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_rows->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    column->addLayout(m_rows);
    connect(&explorer, &control::Explorer::documentChanged, this, &SpecForm::refresh);
}

void SpecForm::name(QWidget& control, const Row& row) const
{
    control.setObjectName(QString::fromLatin1(row.name));
    control.setAccessibleName(row.label);
    control.setAccessibleDescription(row.help);
    control.setToolTip(row.help);
}

void SpecForm::addControl(const Row& row, QWidget* control,
                          std::function<void(const control::FigureSpec&)> show)
{
    name(*control, row);
    // A check box carries its own label.
    auto* const label = new QLabel(qobject_cast<QCheckBox*>(control) ? QString() : row.label);
    label->setBuddy(control);
    label->setMinimumWidth(kLabelWidth);
    label->setToolTip(row.help);
    m_rows->addRow(label, control);
    show(spec());
    const bool isShown = !row.isUsed || row.isUsed(spec());
    m_rows->setRowVisible(control, isShown);
    m_shown.push_back({control, row.isUsed, std::move(show)});
}

QComboBox* SpecForm::addIndex(const Row& row, const QStringList& texts,
                              std::function<int(const control::FigureSpec&)> read,
                              std::function<void(control::FigureSpec&, int)> write)
{
    auto* const combo = new CalmCombo;
    combo->addItems(texts);
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    combo->setMinimumContentsLength(8);
    connect(combo, &QComboBox::currentIndexChanged, this,
            [this, write = std::move(write), what = row.label](int index) {
                if (index >= 0)
                    edit(what, [&](control::FigureSpec& spec) { write(spec, index); });
            });
    addControl(row, combo, [combo, read = std::move(read)](const control::FigureSpec& spec) {
        const QSignalBlocker blocker(combo);
        combo->setCurrentIndex(read(spec));
    });
    return combo;
}

void SpecForm::edit(const QString& what, const std::function<void(control::FigureSpec&)>& change,
                    const char* name)
{
    m_explorer.edit(
        tr("Figure: %1").arg(what.toLower()), [&](control::Document& document) { change(document.figure); },
        name ? QStringLiteral("figure/") + QString::fromLatin1(name) : QString());
}

void SpecForm::refresh()
{
    bool hasRows = false;
    for (const Shown& row : m_shown) {
        const bool isUsed = !row.isUsed || row.isUsed(spec());
        row.show(spec());
        if (m_rows->isRowVisible(row.control) != isUsed)
            m_rows->setRowVisible(row.control, isUsed);
        hasRows |= isUsed;
    }
    if (m_title)
        setVisible(hasRows);
}

}  // namespace hs::composer
