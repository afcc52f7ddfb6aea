#pragma once

// QCustomPlot's header uses Qt's keywords, which are disabled in this program. It is slow to compile: include
// it from few .cpp files.
#include <QObject>

#define signals Q_SIGNALS
#define foreach Q_FOREACH
#include <qcustomplot.h>
#undef foreach
#undef signals

namespace hs::panels {

/// A plot that leaves mouse and keyboard to the widget it is part of, and is painted with it.
QCustomPlot* newPlot(QWidget* parent);

}  // namespace hs::panels
