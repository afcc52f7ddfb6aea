#include "support/catch.h"
#include "ui/composer/composer_under_test.h"

#include <QAccessible>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QWheelEvent>

#include <set>

using namespace hs;
using namespace hs::test;

namespace {

/// Controls that are not parts of the figure.
const std::set<QString> kOwnBusiness = {QStringLiteral("widthUnit"), QStringLiteral("moreHeads")};

bool isControl(const QWidget& widget)
{
    return widget.isVisible() && widget.isEnabled() &&
           !widget.objectName().startsWith(QStringLiteral("qt_")) &&
           !kOwnBusiness.contains(widget.objectName());
}

QList<QWidget*> controls(const composer::FigureComposer& composer)
{
    QList<QWidget*> found;
    for (QWidget* const widget : composer.findChildren<QWidget*>())
        if (isControl(*widget) &&
            (qobject_cast<QDoubleSpinBox*>(widget) || qobject_cast<QCheckBox*>(widget) ||
             qobject_cast<QComboBox*>(widget) || qobject_cast<QLineEdit*>(widget)))
            found << widget;
    return found;
}

QString valueOf(const QWidget& control)
{
    if (const auto* const box = qobject_cast<const QDoubleSpinBox*>(&control))
        return QString::number(box->value());
    if (const auto* const box = qobject_cast<const QCheckBox*>(&control))
        return QString::number(box->isChecked());
    if (const auto* const combo = qobject_cast<const QComboBox*>(&control))
        return QString::number(combo->currentIndex());
    return qobject_cast<const QLineEdit*>(&control)->text();
}

/// As the user would, in two strokes if that takes several; false if there is nothing else to choose.
bool change(QWidget& control)
{
    if (auto* const box = qobject_cast<QDoubleSpinBox*>(&control)) {
        const double space = box->maximum() - box->value();
        for (int stroke = 0; stroke < 2; ++stroke)
            box->stepBy(space > 2 * box->singleStep() ? 1 : -1);
        return true;
    }
    if (auto* const box = qobject_cast<QCheckBox*>(&control)) {
        box->click();
        return true;
    }
    if (auto* const combo = qobject_cast<QComboBox*>(&control)) {
        if (combo->count() < 2)
            return false;
        combo->setCurrentIndex(combo->currentIndex() == 0 ? 1 : 0);
        return true;
    }
    QTest::keyClicks(&control, QStringLiteral("ab"));
    return true;
}

}  // namespace

TEST_CASE("each control of the composer is one step, and undo restores it and the figure")
{
    ComposerUnderTest test;
    int changed = 0;
    for (const control::FigurePreset preset : kAllPresets)
        for (const Side side : kSides) {
            test.choose(preset);
            test.showSide(side);
            for (QWidget* const control : controls(*test.composer)) {
                CAPTURE(static_cast<int>(preset), control->objectName().toStdString());
                const control::FigureSpec before = test.spec();
                const int step = test.history().index();
                const QString value = valueOf(*control);
                if (!change(*control))
                    continue;
                CHECK_FALSE(test.spec() == before);
                CHECK(test.history().index() == step + 1);
                const control::FigureSpec after = test.spec();
                test.history().undo();
                CHECK(test.spec() == before);
                CHECK(valueOf(*control) == value);
                test.history().redo();
                CHECK(test.spec() == after);
                test.history().undo();
                ++changed;
            }
        }
    CHECK(changed > 150);
    CHECK(test.settles());
}

TEST_CASE("undo and redo work from within a text field")
{
    ComposerUnderTest test;
    REQUIRE(test.settles());
    test.composer->activateWindow();
    REQUIRE(QTest::qWaitForWindowActive(test.composer.get()));
    auto* const caption = test.child<QLineEdit>("caption");
    caption->setFocus();
    QTest::keyClicks(caption, QStringLiteral("Heads"));
    test.child<QCheckBox>("hasColourBar")->click();
    REQUIRE_FALSE(test.spec().form.hasColourBar);
    // Undoes the figure's last step, not the field's own.
    QTest::keyClick(caption, Qt::Key_Z, Qt::ControlModifier);
    CHECK(test.spec().form.hasColourBar);
    CHECK(caption->text() == QStringLiteral("Heads"));
    QTest::keyClick(caption, Qt::Key_Z, Qt::ControlModifier);
    CHECK(test.spec().form.caption.isEmpty());
    CHECK(caption->text().isEmpty());
    QTest::keyClick(caption, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    CHECK(test.spec().form.caption == QStringLiteral("Heads"));
}

TEST_CASE("widths are presets, millimetres or inches of one number")
{
    ComposerUnderTest test;
    auto* const fits = test.child<QComboBox>("columnWidth");
    auto* const width = test.child<QDoubleSpinBox>("widthValue");
    fits->setCurrentIndex(0);
    CHECK(test.spec().form.width == figures::kOneColumn);
    CHECK(width->value() == 85);
    test.child<QComboBox>("widthUnit")->setCurrentIndex(1);
    CHECK(test.spec().form.width == figures::kOneColumn);
    CHECK(width->value() == Approx(3.35));
    width->setValue(4);
    CHECK(test.spec().form.width == Approx(101.6));
    CHECK(fits->currentText() == QStringLiteral("Own width"));
}

TEST_CASE("the wheel scrolls the form and changes only what has the focus")
{
    ComposerUnderTest test;
    REQUIRE(test.settles());
    const control::FigureSpec before = test.spec();
    test.composer->setFocus();
    for (QWidget* const control : controls(*test.composer)) {
        if (control->hasFocus())
            continue;
        CAPTURE(control->objectName().toStdString());
        QWheelEvent event({4, 4}, control->mapToGlobal(QPointF(4, 4)), {}, QPoint(0, -120), Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(control, &event);
        CHECK_FALSE(event.isAccepted());  // left to the form
    }
    CHECK(test.spec() == before);
}

TEST_CASE("what is typed when the composer closes counts")
{
    ComposerUnderTest test;
    test.composer->activateWindow();
    REQUIRE(QTest::qWaitForWindowActive(test.composer.get()));
    auto* const size = test.child<QDoubleSpinBox>("fontSize");
    size->setFocus();
    size->selectAll();
    QTest::keyClicks(size, QStringLiteral("9"));
    CHECK(test.spec().form.fontSize == 7);
    test.composer.reset();
    CHECK(test.spec().form.fontSize == 9);
    CHECK(test.history().index() == 1);
}

TEST_CASE("the composer needs no bar across and every control has a name")
{
    ComposerUnderTest test;
    for (const control::FigurePreset preset : kAllPresets) {
        test.choose(preset);
        REQUIRE(test.settles());
        const auto* const forms = test.child<QScrollArea>("forms");
        CAPTURE(static_cast<int>(preset));
        CHECK(forms->widget()->width() <= forms->viewport()->width());
        for (QWidget* const widget : test.composer->findChildren<QWidget*>()) {
            if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible() ||
                widget->objectName().startsWith(QStringLiteral("qt_")))
                continue;
            const QAccessibleInterface* const face = QAccessible::queryAccessibleInterface(widget);
            CAPTURE(widget->metaObject()->className(), widget->objectName().toStdString());
            CHECK((face && !face->text(QAccessible::Name).isEmpty()));
        }
    }
}
