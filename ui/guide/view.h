#pragma once

#include "guide/pages.h"

#include <QHash>
#include <QImage>
#include <QTextBrowser>

namespace hs::guide {

/// Shows one page of the guide in a column that is comfortable to read; pictures are never wider than
/// the column. Follows the theme.
class View : public QTextBrowser {
    Q_OBJECT

public:
    explicit View(QWidget* parent = nullptr);

    void showPage(const Page& page);
    /// Pixels scrolled down from the top.
    int scrolled() const;
    void scrollTo(int pixels);
    /// Scrolls to a heading of the page, by its anchor; false if there is none.
    bool scrollToHeading(const QString& anchor);
    /// The texts of the page's second-level headings, in order.
    QStringList sections() const;

    /// Marks all occurrences of these words and goes to the first from here on, or to the next or previous
    /// one; returns its number, from 1, and how many there are. {0, 0} if there are none.
    enum class Step { Here, Next, Previous };
    std::pair<int, int> find(const QString& words, Step step);

    void enlarge(int steps);

protected:
    QVariant loadResource(int type, const QUrl& name) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    int columnWidth() const;
    void render();
    void centreColumn(QTextDocument& page) const;
    void sizePictures(QTextDocument& page) const;
    QSize shownSize(QSize picture) const;

    Page m_page;
    int m_renderedWidth = 0;
    int m_enlarged = 0;                 // points
    QHash<QString, QImage> m_pictures;  // at the size they were last shown
};

}  // namespace hs::guide
