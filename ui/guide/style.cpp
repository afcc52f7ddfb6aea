#include "guide/style.h"

#include <QFontDatabase>
#include <QPalette>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextFrame>
#include <QTextTable>

#include <array>
#include <set>
#include <vector>

namespace hs::guide {
namespace {

constexpr double kLineHeight = 145;                     // percent
constexpr double kTightLineHeight = 125;                // percent
constexpr std::array kHeadingSizes = {1.75, 1.3, 1.1};  // relative to the text's

QColor mixed(const QColor& ground, const QColor& ink, double share)
{
    return QColor::fromRgbF(float(ground.redF() + share * (ink.redF() - ground.redF())),
                            float(ground.greenF() + share * (ink.greenF() - ground.greenF())),
                            float(ground.blueF() + share * (ink.blueF() - ground.blueF())));
}

/// Styles one document.
class Stylist {
public:
    Stylist(QTextDocument& document, const QPalette& palette, const QFont& font)
        : m_document(document), m_palette(palette), m_size(font.pointSizeF()),
          m_fixed(QFontDatabase::systemFont(QFontDatabase::FixedFont).family())
    {
        const QColor ground = palette.color(QPalette::Base);
        const QColor ink = palette.color(QPalette::Text);
        m_tint = mixed(ground, ink, 0.05);
        m_line = mixed(ground, ink, 0.16);
        document.setDefaultFont(font);
    }

    void style()
    {
        m_codeFrames = frame(isCode, m_tint, 1);
        m_quoteFrames =
            frame(isQuote, mixed(m_palette.color(QPalette::Base), m_palette.color(QPalette::Link), 0.08), 0);
        for (QTextBlock block = m_document.begin(); block.isValid(); block = block.next())
            styleBlock(block);
        for (QTextFrame* const child : m_document.rootFrame()->childFrames())
            if (auto* const table = qobject_cast<QTextTable*>(child))
                styleTable(*table);
    }

private:
    using Frames = std::set<const QTextFrame*>;

    static bool isCode(const QTextBlock& block)
    {
        return block.blockFormat().hasProperty(QTextFormat::BlockCodeFence) ||
               block.blockFormat().hasProperty(QTextFormat::BlockCodeLanguage);
    }

    static bool isQuote(const QTextBlock& block)
    {
        return block.blockFormat().intProperty(QTextFormat::BlockQuoteLevel) > 0;
    }

    /// Commands and their output follow one another and differ only in their language.
    static bool areOne(const QTextBlock& one, const QTextBlock& next)
    {
        return one.blockFormat().stringProperty(QTextFormat::BlockCodeLanguage) ==
               next.blockFormat().stringProperty(QTextFormat::BlockCodeLanguage);
    }

    /// Puts each run of blocks of a kind into a frame of its own, which has the ground and margins.
    Frames frame(bool (*isOfKind)(const QTextBlock&), const QColor& ground, double border)
    {
        QTextFrameFormat format;
        format.setBackground(ground);
        format.setBorder(border);
        format.setBorderBrush(m_line);
        format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        format.setPadding(10);
        format.setBottomMargin(12);
        Frames frames;
        for (QTextBlock block = m_document.begin(); block.isValid(); block = block.next()) {
            if (!isOfKind(block))
                continue;
            QTextBlock last = block;
            while (isOfKind(last.next()) && areOne(last, last.next()))
                last = last.next();
            QTextCursor cursor(block);
            cursor.setPosition(last.position() + last.length() - 1, QTextCursor::KeepAnchor);
            const QTextFrame* const made = cursor.insertFrame(format);
            frames.insert(made);
            block = made->lastCursorPosition().block();
            // The rest of the first block surrounds the frame and must not be framed again.
            for (const QTextBlock& rest : {made->firstCursorPosition().block().previous(), block.next()})
                if (rest.isValid() && rest.text().isEmpty())
                    QTextCursor(rest).setBlockFormat({});
        }
        return frames;
    }

    void styleBlock(const QTextBlock& block)
    {
        QTextCursor cursor(block);
        QTextBlockFormat format = block.blockFormat();
        const auto set = [&format](double lineHeight, double above, double below) {
            format.setLineHeight(lineHeight, QTextBlockFormat::ProportionalHeight);
            format.setTopMargin(above);
            format.setBottomMargin(below);
        };
        if (m_codeFrames.contains(cursor.currentFrame())) {
            set(kTightLineHeight, 0, 0);
            format.setNonBreakableLines(false);
        } else if (m_quoteFrames.contains(cursor.currentFrame())) {
            set(kTightLineHeight, 0, 0);
            format.setLeftMargin(0);
            format.setRightMargin(0);
        } else if (block.text().isEmpty() && cursor.currentFrame() == m_document.rootFrame()) {
            set(100, 0, 0);
            format.setLineHeight(1, QTextBlockFormat::FixedHeight);  // between frames
        } else if (format.headingLevel() > 0) {
            static constexpr std::array kAbove = {6, 26, 18};
            const int level = std::min(format.headingLevel(), 3) - 1;
            set(100, block.blockNumber() == 0 ? 0 : kAbove[level], level == 0 ? 14 : 8);
        } else if (cursor.currentTable()) {
            set(kTightLineHeight, 0, 0);
        } else {
            // A line with a picture is as high as the picture and needs no more.
            const bool isPicture = block.text().contains(QChar::ObjectReplacementCharacter);
            set(isPicture ? 100 : kLineHeight, 0, block.textList() ? 6 : 11);
        }
        cursor.setBlockFormat(format);
        styleText(block, format.headingLevel());
    }

    void styleText(const QTextBlock& block, int headingLevel)
    {
        struct Run {
            int begin, end;
            QTextCharFormat format;
        };
        std::vector<Run> runs;  // changing a format moves the fragments
        for (auto at = block.begin(); !at.atEnd(); ++at)
            runs.push_back({at.fragment().position(), at.fragment().position() + at.fragment().length(),
                            at.fragment().charFormat()});
        for (Run& run : runs) {
            if (run.format.isImageFormat())
                continue;
            const bool isCodeLine = m_codeFrames.contains(QTextCursor(block).currentFrame());
            const bool isFixed = run.format.fontFixedPitch() || isCodeLine;
            run.format.clearProperty(QTextFormat::FontSizeAdjustment);
            run.format.setFontPointSize(m_size * (isFixed ? 0.94 : 1));
            if (isFixed)
                run.format.setFontFamilies({m_fixed});
            if (isFixed && !isCodeLine && headingLevel == 0)
                run.format.setBackground(m_tint);
            if (headingLevel > 0) {
                run.format.setFontPointSize(m_size * kHeadingSizes[std::min(headingLevel, 3) - 1]);
                run.format.setFontWeight(QFont::DemiBold);
            }
            if (run.format.isAnchor()) {
                run.format.setForeground(m_palette.color(QPalette::Link));
                run.format.setFontUnderline(false);
            }
            QTextCursor cursor(&m_document);
            cursor.setPosition(run.begin);
            cursor.setPosition(run.end, QTextCursor::KeepAnchor);
            cursor.setCharFormat(run.format);
        }
    }

    void styleTable(QTextTable& table)
    {
        QTextTableFormat format = table.format();
        format.setBorderCollapse(true);
        format.setBorder(1);
        format.setBorderBrush(m_line);
        format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        format.setCellPadding(6);
        format.setCellSpacing(0);
        format.setTopMargin(4);
        format.setBottomMargin(16);
        format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
        table.setFormat(format);
        for (int column = 0; column < table.columns(); ++column) {
            QTextTableCell cell = table.cellAt(0, column);
            QTextTableCellFormat cellFormat = cell.format().toTableCellFormat();
            cellFormat.setBackground(m_tint);
            cell.setFormat(cellFormat);
        }
    }

    QTextDocument& m_document;
    const QPalette& m_palette;
    double m_size;
    QString m_fixed;
    QColor m_tint;  // ground of code and headers
    QColor m_line;
    Frames m_codeFrames;
    Frames m_quoteFrames;
};

}  // namespace

void styleGuide(QTextDocument& document, const QPalette& palette, const QFont& font)
{
    Stylist(document, palette, font).style();
}

}  // namespace hs::guide
