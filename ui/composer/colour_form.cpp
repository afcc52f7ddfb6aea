#include "composer/figure_forms.h"

#include "composer/preset_uses.h"
#include "render/figure_style.h"
#include "render/translate.h"

#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>

namespace hs::composer {
namespace {

constexpr QSize kSwatch(44, 12);
constexpr double kLeastSpan = 0.01;  // between the limits

QIcon swatch(const QString& name)
{
    const render::ColourMap map = render::ColourMap::named(name);
    QImage colours(256, 1, QImage::Format_RGB32);
    for (int level = 0; level < 256; ++level)
        colours.setPixel(level, 0, map.at(level));
    QPixmap picture(kSwatch);
    QPainter painter(&picture);
    painter.drawImage(picture.rect(), colours);
    painter.setPen(QColor::fromRgb(render::FigureStyle::kFrame));
    painter.drawRect(picture.rect().adjusted(0, 0, -1, -1));
    return QIcon(picture);
}

/// Both limits in one row; the lower one stays below the upper one.
class LimitsBox : public QWidget {
public:
    explicit LimitsBox(SpecForm& form) : m_lowest(newBox("lowest")), m_highest(newBox("highest"))
    {
        m_lowest->setAccessibleName(tr("Weight that gets the first colour"));
        m_highest->setAccessibleName(tr("Weight that gets the last colour"));
        auto* const row = new QHBoxLayout(this);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(6);
        row->addWidget(m_lowest, 1);
        row->addWidget(new QLabel(QStringLiteral("–")));
        row->addWidget(m_highest, 1);
        setFocusProxy(m_lowest);
        connect(m_lowest, &QDoubleSpinBox::valueChanged, &form, [&form](double value) {
            form.edit(tr("Limits"), [&](control::FigureSpec& spec) { spec.form.lowest = value; }, "lowest");
        });
        connect(m_highest, &QDoubleSpinBox::valueChanged, &form, [&form](double value) {
            form.edit(tr("Limits"), [&](control::FigureSpec& spec) { spec.form.highest = value; }, "highest");
        });
    }

    void show(const figures::Form& form)
    {
        const QSignalBlocker lower(m_lowest);
        const QSignalBlocker higher(m_highest);
        m_lowest->setRange(0, std::max(0.0, form.highest - kLeastSpan));
        m_highest->setRange(std::min(1.0, form.lowest + kLeastSpan), 1);
        m_lowest->setValue(form.lowest);
        m_highest->setValue(form.highest);
        m_highest->setEnabled(!form.isPerHead);
    }

private:
    static QDoubleSpinBox* newBox(const char* name)
    {
        auto* const box = new CalmBox;
        box->setObjectName(QString::fromLatin1(name));
        box->setDecimals(3);
        box->setSingleStep(0.05);
        box->setKeyboardTracking(false);
        return box;
    }

    QDoubleSpinBox* m_lowest;
    QDoubleSpinBox* m_highest;
};

}  // namespace

SpecForm* newColourForm(control::Explorer& explorer, QWidget* parent)
{
    auto* const form = new SpecForm(explorer, tr("Colours"), parent);
    SpecForm::Choices<QString> maps;
    for (const QString& name : render::ColourMap::names())
        maps.emplace_back(name, name);
    QComboBox* const map = form->addChoice({"colourMap", tr("Colour map"),
                                            tr("All are readable in grey print and to colour-blind eyes"),
                                            usedBy(FigureKnob::ColourMap)},
                                           maps, [](auto& spec) -> auto& { return spec.form.colourMap; });
    map->setIconSize(kSwatch);
    for (int index = 0; index < map->count(); ++index)
        map->setItemIcon(index, swatch(map->itemText(index)));
    form->addChoice<render::Scale>({"scale", tr("Scale"),
                                    tr("How a weight becomes a place on the colour map"),
                                    usedBy(FigureKnob::Scale)},
                                   {{tr("Linear"), render::Scale::Linear},
                                    {tr("Square root"), render::Scale::SquareRoot},
                                    {tr("Logarithmic"), render::Scale::Logarithmic}},
                                   [](auto& spec) -> auto& { return spec.form.scale; });
    auto* const limits = new LimitsBox(*form);
    form->addControl({"limits", tr("Limits"), tr("Weights that get the first and the last colour"),
                      usedBy(FigureKnob::Scale)},
                     limits, [limits](const control::FigureSpec& spec) { limits->show(spec.form); });
    form->addSwitch({"isPerHead", tr("Each head by itself"),
                     tr("Each head's largest weight gets the last colour, instead of one scale for all"),
                     usedBy(FigureKnob::PerHead)},
                    [](auto& spec) -> auto& { return spec.form.isPerHead; });
    form->addSwitch({"hasColourBar", tr("Colour bar"), tr("With the scale's name and its limits"),
                     usedBy(FigureKnob::Scale)},
                    [](auto& spec) -> auto& { return spec.form.hasColourBar; });
    return form;
}

}  // namespace hs::composer
