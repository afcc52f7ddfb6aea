#pragma once

#include <QPixmap>

#include <functional>

class QWidget;

namespace hs {

class MainWindow;

/// Drives a window from a command: lets it work until a condition holds. Throws Failure when it
/// takes longer than a minute.
void waitUntil(const std::function<bool()>& holds);

/// Until both sides show what the document asks for and the worker rests.
void waitUntilSettled(MainWindow& window);

/// A widget with everything that is drawn and painted on other threads.
QPixmap pictureOf(QWidget& widget);

}  // namespace hs
