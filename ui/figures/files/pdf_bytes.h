#pragma once

#include <QByteArray>

class QPDF;

namespace hs::figures {

/// The file of all reachable objects, numbered in the order in which they are reached, so that equal
/// content gives equal bytes whatever the numbers were. Throws if a value was not of the expected kind.
QByteArray pdfBytes(QPDF& pdf);

}  // namespace hs::figures
