#pragma once

#include <QByteArray>

class QPDF;

namespace hs::figures {

/// The file of all objects that can be reached, numbered in the order in which they are, so that
/// equal content is equal bytes whatever the numbers were. Throws where a value was not of the kind
/// that it was taken for.
QByteArray pdfBytes(QPDF& pdf);

}  // namespace hs::figures
