#pragma once

#include <QByteArray>

namespace hs {

/// What a zlib stream of another program holds. Throws Failure where it is damaged, or so long that
/// it could take more than 64 MiB.
QByteArray inflated(QByteArrayView stream);

}  // namespace hs
