#pragma once

#include <QString>

class QWidget;

namespace hs::control {
class Explorer;
}

namespace hs::window {

void showAbout(QWidget* parent);

/// Versions, device and models, for problem reports; copied to the clipboard.
QString systemInformation(const control::Explorer& explorer);
void copySystemInformation(const control::Explorer& explorer);

}  // namespace hs::window
