#pragma once

#include "base/cell_id.h"
#include "panels/widgets/shown_tokens.h"

#include <QStringList>

namespace hs::panels {

/// "7.0× fewer heads", "1.5× more edges", "as many heads"; empty if either has none.
QString factorWords(int left, int right, const QString& units);

/// Labels of the tokens of a side's text; empty before its first run.
QStringList textLabels(const control::Explorer& explorer, Side side);
/// The same along the axes of its maps, which may be of blocks.
AxisLabels tokenLabels(const control::Explorer& explorer, Side side);

/// "·Mary 2"; only the position if there is no such token.
QString tokenWords(const QStringList& tokens, int position);

/// "·Mary 2 → ·to 14": key → query.
QString cellWords(const AxisLabels& tokens, CellId cell);

/// Pins both positions of a side's maps in one step.
void pinCell(control::Explorer& explorer, Side side, CellId cell);
/// The same for tokens of its text, or the blocks that they are in.
void pinTokens(control::Explorer& explorer, Side side, CellId tokens);

/// Selects heads' tiles and makes the first current; Ctrl or Shift adds to the selection.
void pickHeads(control::Explorer& explorer, Side side, const std::vector<HeadId>& heads,
               Qt::KeyboardModifiers modifiers = {});

}  // namespace hs::panels
