#include "composer/page_form.h"

#include "composer/calm_controls.h"
#include "composer/preset_uses.h"

#include <QCoreApplication>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QSignalBlocker>

namespace hs {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(hs::FigureComposer)
};

constexpr double kInch = 25.4;  // in mm
constexpr double kNarrowest = 20;
constexpr double kWidest = 1000;

/// The width as a number with its unit, which is the user's choice and no part of the figure.
class WidthBox : public QWidget {
public:
    explicit WidthBox(SpecForm& form) : m_value(new CalmBox), m_unit(new CalmCombo)
    {
        m_value->setObjectName(QStringLiteral("widthValue"));
        m_value->setAccessibleName(Words::tr("Width"));
        m_value->setKeyboardTracking(false);
        m_unit->setObjectName(QStringLiteral("widthUnit"));
        m_unit->setAccessibleName(Words::tr("Unit of the width"));
        m_unit->addItems({Words::tr("mm"), Words::tr("in")});
        auto* const row = new QHBoxLayout(this);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(6);
        row->addWidget(m_value, 1);
        row->addWidget(m_unit);
        setFocusProxy(m_value);
        connect(m_value, &QDoubleSpinBox::valueChanged, &form, [this, &form](double value) {
            form.edit(
                Words::tr("Width"), [&](FigureSpec& spec) { spec.form.width = value * factor(); }, "width");
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
    const auto read = [](const FigureSpec& spec) {
        return spec.form.width == kOneColumn ? 0 : spec.form.width == kTwoColumns ? 1 : 2;
    };
    auto* const box = new WidthBox(form);
    form.addIndex(
        {"columnWidth", Words::tr("Fits"), Words::tr("The width of a journal's columns, or your own")},
        {Words::tr("One column, 85 mm"), Words::tr("Two columns, 180 mm"), Words::tr("Own width")}, read,
        [box](FigureSpec& spec, int index) {
            if (index < 2)
                spec.form.width = index == 0 ? kOneColumn : kTwoColumns;
            else
                box->setFocus();
        });
    form.addControl(
        {"width", Words::tr("Width"), Words::tr("The page is never wider; it ends where its content does")},
        box, [box](const FigureSpec& spec) { box->show(spec.form.width); });
}

SpecForm::Choices<QString> typefaces()
{
    SpecForm::Choices<QString> choices = {{Words::tr("The program's own"), QString()}};
    for (const QString& family : QFontDatabase::families())
        if (!QFontDatabase::isPrivateFamily(family))
            choices.emplace_back(family, family);
    return choices;
}

bool hasLabels(const FigureSpec& spec)
{
    return uses(spec.preset, FigureKnob::Labels);
}

}  // namespace

SpecForm* newPageForm(Explorer& explorer, QWidget* parent)
{
    auto* const form = new SpecForm(explorer, Words::tr("Page"), parent);
    addWidth(*form);
    form->addChoice(
        {"fontFamily", Words::tr("Typeface"), Words::tr("Of all words in the figure")}, typefaces(),
        [](auto& spec) -> auto& { return spec.form.fontFamily; });
    form->addNumber(
        {"fontSize", Words::tr("Text size"), Words::tr("Of usual words; headings are larger, notes smaller")},
        {FigureForm::kLeastText, 24, 0.5, 1, Words::tr("pt")},
        [](auto& spec) -> auto& { return spec.form.fontSize; });
    form->addNumber(
        {"lineWidth", Words::tr("Line width"), Words::tr("Of frames and axes")},
        {0.1, 5, 0.1, 2, Words::tr("pt")}, [](auto& spec) -> auto& { return spec.form.lineWidth; });
    form->addNumber(
        {"dotsPerInch", Words::tr("Resolution"), Words::tr("Of PNG files and of the clipboard's image")},
        {36, 2400, 50, 0, Words::tr("dpi")}, [](auto& spec) -> auto& { return spec.form.dotsPerInch; });
    form->addChoice<bool>(
        {"ground", Words::tr("Ground"), Words::tr("What lies behind the figure")},
        {{Words::tr("White"), false}, {Words::tr("Transparent"), true}},
        [](auto& spec) -> auto& { return spec.form.isTransparent; });
    return form;
}

SpecForm* newTextForm(Explorer& explorer, QWidget* parent)
{
    auto* const form = new SpecForm(explorer, Words::tr("Text"), parent);
    form->addChoice<LabelCorner>(
        {"labelCorner", Words::tr("Labels"), Words::tr("Where the name of a head stands"), hasLabels},
        {{Words::tr("Top right"), LabelCorner::TopRight},
         {Words::tr("Top left"), LabelCorner::TopLeft},
         {Words::tr("Bottom right"), LabelCorner::BottomRight},
         {Words::tr("Bottom left"), LabelCorner::BottomLeft}},
        [](auto& spec) -> auto& { return spec.form.labelCorner; });
    form->addSwitch(
        {"hasCaption", Words::tr("Caption below the figure"),
         Words::tr("What the figure shows and how weights became colours, in words")},
        [](auto& spec) -> auto& { return spec.form.hasCaption; });
    form->addText(
        {"caption", Words::tr("Own caption"), Words::tr("Instead of the settings in words"),
         [](const FigureSpec& spec) { return spec.form.hasCaption; }},
        Words::tr("The settings in words"), [](auto& spec) -> auto& { return spec.form.caption; });
    return form;
}

}  // namespace hs
