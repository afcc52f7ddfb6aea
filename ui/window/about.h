#pragma once

#include <QString>

class QWidget;

namespace hs::control {
class Explorer;
}

namespace hs::window {

void showAbout(QWidget* parent);

/// Versions, device and models, for a report of a problem; goes to the clipboard.
QString systemInformation(const control::Explorer& explorer);
void copySystemInformation(const control::Explorer& explorer);

}  // namespace hs::window
