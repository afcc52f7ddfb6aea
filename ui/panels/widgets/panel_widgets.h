#pragma once

#include <QColor>
#include <QString>

class QAction;
class QLabel;
class QMenu;
class QWidget;

namespace hs::panels {

/// A label whose words do not compete with data; wraps.
QLabel* newQuietLabel(QWidget* parent, const QString& name);

/// A label that names what is below it; wraps.
QLabel* newHeading(QWidget* parent, const QString& name);

/// Shows the text, or hides the label if it is empty.
void showText(QLabel& label, const QString& text);

/// Greys what cannot be used, and says why in its tool tip; without a reason it is usable, with its own tool tip.
void greyOut(QWidget& widget, const QString& reason, const QString& toolTip = {});

/// `ink` mixed into `ground`: 0 is the ground, 1 is the ink.
QColor mixed(const QColor& ground, const QColor& ink, double share);

/// An entry whose text is shown literally, including ampersands, and shortened in the middle if too long.
QAction* addPlainAction(QMenu& menu, const QString& text);

}  // namespace hs::panels
