#pragma once

class QFont;
class QPalette;
class QTextDocument;

namespace hs::guide {

/// Styles a document read from Markdown as a page to read: headings, space between lines, code on a
/// tinted ground, tables with light lines, in the colours of the palette.
void styleGuide(QTextDocument& document, const QPalette& palette, const QFont& font);

}  // namespace hs::guide
