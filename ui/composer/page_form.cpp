#include "composer/figure_forms.h"

#include "composer/preset_uses.h"
#include "render/translate.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QSignalBlocker>

namespace hs::composer {
namespace {

constexpr double kInch = 25.4;  // in mm
constexpr double kNarrowest = 20;
constexpr double kWidest = 1000;

/// The width as a number with its unit, which is the user's choice and not part of the figure.
class WidthBox : public QWidget {
public:
    explicit WidthBox(SpecForm& form) : m_value(new CalmBox), m_unit(new CalmCombo)
    {
        m_value->setObjectName(QStringLiteral("widthValue"));
        m_value->setAccessibleName(tr("Width"));
        m_value->setKeyboardTracking(false);
        m_unit->setObjectName(QStringLiteral("widthUnit"));
        m_unit->setAccessibleName(tr("Unit of the width"));
        m_unit->addItems({tr("mm"), tr("in")});
        auto* const row = new QHBoxLayout(this);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(6);
        row->addWidget(m_value, 1);
        row->addWidget(m_unit);
        setFocusProxy(m_value);
        connect(m_value, &QDoubleSpinBox::valueChanged, &form, [this, &form](double value) {
            form.edit(
                tr("Width"), [&](control::FigureSpec& spec) { spec.form.width = value * factor(); }, "width");
        });
        connect(m_unit, &QComboBox::currentIndexChanged, &form,
                [this, &form] { show(form.spec().form.width); });
    }

    void show(double millimetres)
    {
        const QSignalBlocker blocker(m_value);
        const bool isInches = factor() != 1;
        m_value->setDecimals(isInches ? 2 : 1);
        m_value->setSingleStep(isInches ? 0.1 : 1);
        m_value->setRange(kNarrowest / factor(), kWidest / factor());
        m_value->setValue(millimetres / factor());
    }

private:
    double factor() const { return m_unit->currentIndex() == 1 ? kInch : 1; }

    QDoubleSpinBox* m_value;
    QComboBox* m_unit;
};

void addWidth(SpecForm& form)
{
    const auto read = [](const control::FigureSpec& spec) {
        return spec.form.width == figures::kOneColumn ? 0 : spec.form.width == figures::kTwoColumns ? 1 : 2;
    };
    auto* const box = new WidthBox(form);
    form.addIndex({"columnWidth", tr("Fits"), tr("The width of a journal's columns, or your own")},
                  {tr("One column, 85 mm"), tr("Two columns, 180 mm"), tr("Own width")}, read,
                  [box](control::FigureSpec& spec, int index) {
                      if (index < 2)
                          spec.form.width = index == 0 ? figures::kOneColumn : figures::kTwoColumns;
                      else
                          box->setFocus();
                  });
    form.addControl({"width", tr("Width"), tr("The page is never wider; it ends where its content does")},
                    box, [box](const control::FigureSpec& spec) { box->show(spec.form.width); });
}

SpecForm::Choices<QString> typefaces()
{
    SpecForm::Choices<QString> choices = {{tr("The program's own"), QString()}};
    for (const QString& family : QFontDatabase::families())
        if (!QFontDatabase::isPrivateFamily(family))
            choices.emplace_back(family, family);
    return choices;
}

}  // namespace

SpecForm* newPageForm(control::Explorer& explorer, QWidget* parent)
{
    auto* const form = new SpecForm(explorer, tr("Page"), parent);
    addWidth(*form);
    form->addChoice({"fontFamily", tr("Typeface"), tr("Of all words in the figure")}, typefaces(),
                    [](auto& spec) -> auto& { return spec.form.fontFamily; });
    form->addNumber({"fontSize", tr("Text size"), tr("Of usual words; headings are larger, notes smaller")},
                    {figures::Form::kLeastText, 24, 0.5, 1, tr("pt")},
                    [](auto& spec) -> auto& { return spec.form.fontSize; });
    form->addNumber({"lineWidth", tr("Line width"), tr("Of frames and axes")}, {0.1, 5, 0.1, 2, tr("pt")},
                    [](auto& spec) -> auto& { return spec.form.lineWidth; });
    form->addNumber({"dotsPerInch", tr("Resolution"), tr("Of PNG files and of the clipboard's image")},
                    {36, 2400, 50, 0, tr("dpi")}, [](auto& spec) -> auto& { return spec.form.dotsPerInch; });
    form->addChoice<bool>({"ground", tr("Ground"), tr("What lies behind the figure")},
                          {{tr("White"), false}, {tr("Transparent"), true}},
                          [](auto& spec) -> auto& { return spec.form.isTransparent; });
    return form;
}

SpecForm* newTextForm(control::Explorer& explorer, QWidget* parent)
{
    auto* const form = new SpecForm(explorer, tr("Text"), parent);
    form->addChoice<render::LabelCorner>(
        {"labelCorner", tr("Labels"), tr("Where the name of a head stands"), usedBy(FigureKnob::Labels)},
        {{tr("Top right"), render::LabelCorner::TopRight},
         {tr("Top left"), render::LabelCorner::TopLeft},
         {tr("Bottom right"), render::LabelCorner::BottomRight},
         {tr("Bottom left"), render::LabelCorner::BottomLeft}},
        [](auto& spec) -> auto& { return spec.form.labelCorner; });
    form->addSwitch({"hasCaption", tr("Caption below the figure"),
                     tr("What the figure shows and how weights became colours, in words")},
                    [](auto& spec) -> auto& { return spec.form.hasCaption; });
    form->addText({"caption", tr("Own caption"), tr("Instead of the settings in words"),
                   [](const control::FigureSpec& spec) { return spec.form.hasCaption; }},
                  tr("The settings in words"), [](auto& spec) -> auto& { return spec.form.caption; });
    return form;
}

}  // namespace hs::composer
