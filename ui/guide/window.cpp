#include "guide/window.h"

#include "guide/view.h"

#include <QAction>
#include <QDesktopServices>
#include <QHeaderView>
#include <QSplitter>
#include <QToolBar>
#include <QTreeWidget>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace hs::guide {
namespace {

constexpr QSize kComfortableSize(1160, 820);
constexpr int kContentsWidth = 260;

}  // namespace

Window::Window(QWidget* parent)
    : QWidget(parent, Qt::Window), m_pages(readGuide()), m_history(QString::fromLatin1(kGuideIndex)),
      m_view(new View), m_contents(new QTreeWidget)
{
    setObjectName(QStringLiteral("guide"));
    setAttribute(Qt::WA_QuitOnClose, false);
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* const parts = new QSplitter;
    parts->setHandleWidth(1);
    parts->addWidget(newContents());
    parts->addWidget(m_view);
    parts->setStretchFactor(1, 1);
    parts->setCollapsible(1, false);
    parts->setSizes({kContentsWidth, kComfortableSize.width() - kContentsWidth});
    column->addWidget(newBar());
    column->addWidget(parts, 1);
    addKeys();
    connect(m_view, &QTextBrowser::anchorClicked, this, &Window::follow);
    resize(kComfortableSize);
    showPage(m_history.current().page);
    m_view->setFocus();
}

QToolBar* Window::newBar()
{
    auto* const bar = new QToolBar;
    bar->setObjectName(QStringLiteral("guideBar"));
    m_back = bar->addAction(QStringLiteral("←"), this, [this] { goTo(m_history.back(m_view->scrolled())); });
    m_back->setToolTip(tr("Back"));
    m_back->setShortcuts({QKeySequence(tr("Alt+Left")), QKeySequence(Qt::Key_Back)});
    m_forward =
        bar->addAction(QStringLiteral("→"), this, [this] { goTo(m_history.forward(m_view->scrolled())); });
    m_forward->setToolTip(tr("Forward"));
    m_forward->setShortcuts({QKeySequence(tr("Alt+Right")), QKeySequence(Qt::Key_Forward)});
    QAction* const home =
        bar->addAction(tr("Contents"), this, [this] { open(QString::fromLatin1(kGuideIndex)); });
    home->setShortcut(tr("Alt+Home"));
    addSearch(*bar);
    return bar;
}

void Window::addKeys()
{
    const auto key = [this](const QKeySequence& keys, auto&& does) {
        auto* const action = new QAction(this);
        action->setShortcut(keys);
        connect(action, &QAction::triggered, this, does);
        addAction(action);
    };
    key(QKeySequence::Close, [this] { close(); });
    key(QKeySequence::ZoomIn, [this] { m_view->enlarge(1); });
    key(QKeySequence::ZoomOut, [this] { m_view->enlarge(-1); });
    key(tr("Ctrl+0"), [this] { m_view->enlarge(0); });
}

/// The list on the same ground as the page, with some space around it.
QWidget* Window::newContents()
{
    auto* const ground = new QWidget;
    ground->setBackgroundRole(QPalette::Base);
    ground->setAutoFillBackground(true);
    ground->setMinimumWidth(180);
    auto* const column = new QVBoxLayout(ground);
    column->setContentsMargins(12, 20, 8, 8);
    column->addWidget(m_contents);
    listPages();
    return ground;
}

void Window::listPages()
{
    m_contents->setObjectName(QStringLiteral("guideContents"));
    m_contents->setAccessibleName(tr("Contents"));
    m_contents->setColumnCount(2);
    m_contents->setHeaderHidden(true);
    m_contents->setRootIsDecorated(false);
    m_contents->setIndentation(14);
    m_contents->setFrameShape(QFrame::NoFrame);
    m_contents->setUniformRowHeights(true);
    m_contents->header()->setStretchLastSection(false);
    m_contents->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_contents->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    for (const Page& page : m_pages) {
        auto* const item = new QTreeWidgetItem(m_contents, {page.title});
        item->setData(0, Qt::UserRole, page.name);
        item->setSizeHint(0, QSize(0, fontMetrics().height() + 12));
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        item->setForeground(1, palette().color(QPalette::PlaceholderText));
    }
    connect(m_contents, &QTreeWidget::itemClicked, this,
            [this](QTreeWidgetItem* item) { open(item->data(0, Qt::UserRole).toString()); });
    connect(m_contents, &QTreeWidget::itemActivated, this,
            [this](QTreeWidgetItem* item) { open(item->data(0, Qt::UserRole).toString()); });
}

std::size_t Window::indexOf(const QString& name) const
{
    const auto at = std::ranges::find(m_pages, name, &Page::name);
    return at == m_pages.end() ? 0 : static_cast<std::size_t>(at - m_pages.begin());
}

void Window::open(const QString& target)
{
    const QString name = m_pages[indexOf(target.section(QLatin1Char('#'), 0, 0))].name;
    if (name != page().name) {
        m_history.visit(name, m_view->scrolled());
        showPage(name);
    }
    if (const QString anchor = target.section(QLatin1Char('#'), 1); !anchor.isEmpty())
        m_view->scrollToHeading(anchor);
    else
        m_view->scrollTo(0);
}

void Window::goTo(const Place& place)
{
    if (place.page != page().name)
        showPage(place.page);
    m_view->scrollTo(place.scroll);
}

void Window::follow(const QUrl& link)
{
    if (!link.scheme().isEmpty()) {
        QDesktopServices::openUrl(link);
        return;
    }
    const QString name = link.path().isEmpty() ? page().name : link.path();
    open(link.hasFragment() ? name + QLatin1Char('#') + link.fragment() : name);
}

void Window::showPage(const QString& name)
{
    m_shown = indexOf(name);
    m_view->showPage(page());
    setWindowTitle(tr("%1 — HeadScope guide").arg(page().title));
    m_back->setEnabled(m_history.hasBack());
    m_forward->setEnabled(m_history.hasForward());
    listSections();
    search(0);
}

/// Lists the headings of the shown page below its title, and no others.
void Window::listSections()
{
    for (int index = 0; index < m_contents->topLevelItemCount(); ++index) {
        QTreeWidgetItem* const item = m_contents->topLevelItem(index);
        qDeleteAll(item->takeChildren());
        const bool isShown = static_cast<std::size_t>(index) == m_shown;
        QFont font = m_contents->font();
        font.setBold(isShown);
        item->setFont(0, font);
        if (!isShown)
            continue;
        m_contents->setCurrentItem(item);
        for (const QString& section : m_view->sections()) {
            auto* const child = new QTreeWidgetItem(item, {section});
            child->setToolTip(0, section);
            child->setData(0, Qt::UserRole, page().name + QLatin1Char('#') + headingAnchor(section));
        }
        item->setExpanded(true);
    }
}

}  // namespace hs::guide
