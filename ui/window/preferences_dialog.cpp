#include "window/preferences_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QSpinBox>
#include <QVBoxLayout>

namespace hs::window {
namespace {

constexpr std::uint64_t kMegabyte = 1'000'000;

QComboBox* choices(const QList<QPair<QString, QVariant>>& entries, const QVariant& chosen)
{
    auto* const box = new QComboBox;
    for (const auto& [text, value] : entries)
        box->addItem(text, value);
    if (const int at = box->findData(chosen); at >= 0) {
        box->setCurrentIndex(at);
    } else {
        box->addItem(chosen.toString(), chosen);  // a device that is not available now
        box->setCurrentIndex(box->count() - 1);
    }
    return box;
}

QSpinBox* number(int least, int most, int value, const QString& unit)
{
    auto* const box = new QSpinBox;
    box->setRange(least, most);
    box->setValue(value);
    box->setSuffix(QStringLiteral(" ") + unit);
    return box;
}

QCheckBox* tick(const QString& text, bool isTicked)
{
    auto* const box = new QCheckBox(text);
    box->setChecked(isTicked);
    return box;
}

QLabel* heading(const QString& text)
{
    auto* const label = new QLabel(text);
    QFont font = label->font();
    font.setBold(true);
    label->setFont(font);
    label->setContentsMargins(0, 8, 0, 0);
    return label;
}

}  // namespace

PreferencesDialog::PreferencesDialog(const control::Preferences& preferences, QWidget* parent)
    : QDialog(parent), m_before(preferences)
{
    setWindowTitle(tr("Preferences"));
    using Theme = control::Preferences::Theme;
    m_theme = choices({{tr("As the desktop"), int(Theme::System)},
                       {tr("Light"), int(Theme::Light)},
                       {tr("Dark"), int(Theme::Dark)}},
                      int(preferences.theme));
    m_device = choices({{tr("A GPU where there is one"), QStringLiteral("auto")},
                        {tr("Processor"), QStringLiteral("cpu")},
                        {tr("GPU (CUDA)"), QStringLiteral("cuda")}},
                       QString::fromStdString(preferences.device));
    m_type = choices({{tr("Automatic"), QStringLiteral("auto")},
                      {QStringLiteral("float32"), QStringLiteral("f32")},
                      {QStringLiteral("bfloat16"), QStringLiteral("bf16")},
                      {QStringLiteral("float16"), QStringLiteral("f16")}},
                     QString::fromStdString(preferences.dtype));
    m_tf32 = tick(tr("Faster float32 on the GPU (TF32)"), preferences.tf32);
    m_tf32->setToolTip(tr("Matrix products may round their factors to ten bits"));
    m_budget = number(16, 1'000'000, static_cast<int>(preferences.mapBudget / kMegabyte), tr("MB"));
    QList<QPair<QString, QVariant>> maps;
    for (const QString& name : render::ColourMap::names())
        maps.append({name, name});
    m_colourMap = choices(maps, preferences.look.colourMap);
    m_scale = choices({{tr("Linear"), int(render::Scale::Linear)},
                       {tr("Square root"), int(render::Scale::SquareRoot)},
                       {tr("Logarithmic"), int(render::Scale::Logarithmic)}},
                      int(preferences.look.scale));
    m_isPerHead = tick(tr("Colours for each head by itself"), preferences.look.isPerHead);
    m_hidesFirst = tick(tr("Hide the first token"), preferences.look.hidesFirstToken);
    m_runsAsYouType = tick(tr("Run while typing"), preferences.runsAsYouType);
    m_autosave = number(1, 600, preferences.autosaveSeconds, tr("seconds"));

    auto* const form = new QFormLayout;
    form->addRow(heading(tr("Window")));
    form->addRow(tr("&Theme"), m_theme);
    form->addRow(tr("Keep unsaved work &every"), m_autosave);
    form->addRow(QString(), m_runsAsYouType);
    form->addRow(heading(tr("Models")));
    form->addRow(tr("&Device"), m_device);
    form->addRow(tr("Number &type"), m_type);
    form->addRow(QString(), m_tf32);
    form->addRow(tr("&Memory for opened heads"), m_budget);
    form->addRow(heading(tr("New documents")));
    form->addRow(tr("&Colour map"), m_colourMap);
    form->addRow(tr("&Scale"), m_scale);
    form->addRow(QString(), m_isPerHead);
    form->addRow(QString(), m_hidesFirst);
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* const column = new QVBoxLayout(this);
    column->addLayout(form);
    column->addWidget(buttons);
    for (QWidget* const field : findChildren<QWidget*>())
        if (auto* const label = qobject_cast<QLabel*>(form->labelForField(field)))
            field->setAccessibleName(label->text().remove(QLatin1Char('&')));
}

control::Preferences PreferencesDialog::preferences() const
{
    control::Preferences after = m_before;
    after.theme = static_cast<control::Preferences::Theme>(m_theme->currentData().toInt());
    after.device = m_device->currentData().toString().toStdString();
    after.dtype = m_type->currentData().toString().toStdString();
    after.tf32 = m_tf32->isChecked();
    after.mapBudget = static_cast<std::uint64_t>(m_budget->value()) * kMegabyte;
    after.look.colourMap = m_colourMap->currentData().toString();
    after.look.scale = static_cast<render::Scale>(m_scale->currentData().toInt());
    after.look.isPerHead = m_isPerHead->isChecked();
    after.look.hidesFirstToken = m_hidesFirst->isChecked();
    after.runsAsYouType = m_runsAsYouType->isChecked();
    after.autosaveSeconds = m_autosave->value();
    return after;
}

}  // namespace hs::window
