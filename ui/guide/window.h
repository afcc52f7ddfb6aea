#pragma once

#include "guide/history.h"
#include "guide/pages.h"

#include <QWidget>

class QAction;
class QLabel;
class QLineEdit;
class QToolBar;
class QTreeWidget;
class QUrl;

namespace hs::guide {

class View;

/// The guide in a window of its own: contents on the left, the page beside them, a way back, and a search.
/// The guide is built into the program, so it is always available.
class Window : public QWidget {
    Q_OBJECT

public:
    explicit Window(QWidget* parent = nullptr);

    /// Goes to a page or a heading ("tour.md", "figures.md#head"); to the index if there is no such page.
    void open(const QString& target);
    const Page& page() const { return m_pages[m_shown]; }
    View& view() { return *m_view; }
    const History& history() const { return m_history; }

private:
    QToolBar* newBar();
    void addSearch(QToolBar& bar);
    void addKeys();
    QWidget* newContents();
    void listPages();
    void showPage(const QString& name);
    void listSections();
    void follow(const QUrl& link);
    void goTo(const Place& place);
    void search(int step);  // -1, 0 or 1
    void countFinds();
    void endSearch();
    std::size_t indexOf(const QString& name) const;

    std::vector<Page> m_pages;
    std::vector<QString> m_texts;  // [page], plain; empty until the first search
    std::size_t m_shown = 0;
    History m_history;
    View* m_view;  // this and the following are owned by the window
    QTreeWidget* m_contents;
    QAction* m_back = nullptr;
    QAction* m_forward = nullptr;
    QLineEdit* m_search = nullptr;
    QLabel* m_found = nullptr;
};

}  // namespace hs::guide
