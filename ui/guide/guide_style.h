#pragma once

class QFont;
class QPalette;
class QTextDocument;

namespace hs::guide {

/// Sets a document that was read from Markdown as a page to read: headings, air between lines, code on
/// tinted ground, tables with quiet lines, in the colours of the palette.
void styleGuide(QTextDocument& document, const QPalette& palette, const QFont& font);

}  // namespace hs::guide
