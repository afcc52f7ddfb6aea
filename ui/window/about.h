#pragma once

#include <QString>

class QWidget;

namespace hs {

class Explorer;

void showAbout(QWidget* parent);

/// Versions, device and models, for a report of a problem; goes to the clipboard.
QString systemInformation(const Explorer& explorer);
void copySystemInformation(const Explorer& explorer);

}  // namespace hs
