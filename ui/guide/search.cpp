#include "guide/view.h"
#include "guide/window.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QTextDocument>
#include <QToolBar>
#include <QTreeWidget>

namespace hs::guide {

void Window::addSearch(QToolBar& bar)
{
    auto* const gap = new QWidget;
    gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar.addWidget(gap);
    m_found = new QLabel;
    m_found->setObjectName(QStringLiteral("guideFound"));
    m_found->setContentsMargins(0, 0, 8, 0);
    bar.addWidget(m_found);
    m_search = new QLineEdit;
    m_search->setObjectName(QStringLiteral("guideSearch"));
    m_search->setPlaceholderText(tr("Search the guide"));
    m_search->setAccessibleName(tr("Search the guide"));
    m_search->setClearButtonEnabled(true);
    m_search->setMaximumWidth(280);
    bar.addWidget(m_search);
    connect(m_search, &QLineEdit::textChanged, this, [this] {
        countFinds();
        search(0);
    });
    connect(m_search, &QLineEdit::returnPressed, this, [this] { search(1); });

    const auto add = [&](const QString& text, const QString& tip, const QKeySequence& keys, auto&& does) {
        QAction* const action = bar.addAction(text, this, does);
        action->setToolTip(tip);
        action->setShortcut(keys);
        return action;
    };
    add(QStringLiteral("↑"), tr("Previous place"), tr("Shift+F3"), [this] { search(-1); });
    add(QStringLiteral("↓"), tr("Next place"), tr("F3"), [this] { search(1); });
    const auto key = [this](const QKeySequence& keys, auto&& does) {
        auto* const action = new QAction(this);
        action->setShortcut(keys);
        connect(action, &QAction::triggered, this, does);
        addAction(action);
    };
    key(QKeySequence::Find, [this] {
        m_search->setFocus();
        m_search->selectAll();
    });
    key(Qt::Key_Escape, [this] { endSearch(); });
}

void Window::search(int step)
{
    using Step = View::Step;
    const QString words = m_search->text();
    const auto [which, count] = m_view->find(words, step < 0   ? Step::Previous
                                                    : step > 0 ? Step::Next
                                                               : Step::Here);
    if (words.isEmpty())
        m_found->clear();
    else
        m_found->setText(count == 0 ? tr("not on this page") : tr("%1 of %2").arg(which).arg(count));
}

/// Shows beside each page's title how often the words occur there.
void Window::countFinds()
{
    const QString words = m_search->text();
    if (m_texts.empty() && !words.isEmpty())
        for (const Page& page : m_pages) {
            QTextDocument document;
            document.setMarkdown(page.markdown);
            m_texts.push_back(document.toPlainText());
        }
    for (std::size_t index = 0; index < m_pages.size(); ++index) {
        const auto count = words.isEmpty() ? 0 : m_texts[index].count(words, Qt::CaseInsensitive);
        m_contents->topLevelItem(static_cast<int>(index))
            ->setText(1, count == 0 ? QString() : QString::number(count));
    }
}

void Window::endSearch()
{
    if (m_search->text().isEmpty())
        close();
    m_search->clear();
    m_view->setFocus();
}

}  // namespace hs::guide
