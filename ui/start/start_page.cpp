#include "start/start_page.h"

#include "control/document/demo_prompt.h"
#include "control/document/shown_heads.h"
#include "control/work/late_work.h"
#include "grid/head_grid.h"
#include "grid/head_grids.h"
#include "start/model_row_delegate.h"

#include <QApplication>
#include <QKeyEvent>
#include <QListView>

#include <algorithm>

namespace hs::start {

StartPage::StartPage(control::Explorer& explorer, grid::HeadGrids& grids, FindModels find,
                     std::function<QStringList()> recent)
    : QWidget(&grids), m_explorer(explorer), m_grids(grids), m_find(std::move(find)),
      m_recent(std::move(recent)), m_work(new control::LateWork(this)), m_rows(new ModelRows(this))
{
    setObjectName(QStringLiteral("startPage"));
    setAccessibleName(tr("Start page"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    compose();
    setFocusProxy(m_list);
    m_rows->setOpen([this](const model::FoundModel& model) { return whereOpen(model); });
    connect(m_delegate, &ModelRowDelegate::openRequested, this, &StartPage::open);
    connect(&explorer, &control::Explorer::stateChanged, this, &StartPage::refresh);
    connect(&explorer, &control::Explorer::documentChanged, this, &StartPage::refresh);
    m_list->installEventFilter(this);
    grids.installEventFilter(this);
    for (const Side side : kSides)
        grids.grid(side).installEventFilter(this);
    hide();
    search();
    refresh();
}

bool StartPage::lacksModel(Side side) const
{
    const control::SideState& state = m_explorer.state(side);
    const control::Document& document = m_explorer.document();
    return control::isShown(document.arrangement, side) && !state.model && !state.isLoading &&
           (document.side(side).model.isEmpty() || !state.problem.isEmpty());
}

bool StartPage::covers(Side side) const
{
    return m_isAsked || lacksModel(side);
}

Side StartPage::target() const
{
    return !lacksModel(Side::Left) && lacksModel(Side::Right) ? Side::Right : Side::Left;
}

void StartPage::ask()
{
    m_isAsked = true;
    refresh();
    setFocus();
}

void StartPage::leave()
{
    if (!m_isAsked)
        return;
    m_isAsked = false;
    refresh();
    Q_EMIT closed();
}

void StartPage::search()
{
    if (!m_find)
        return;
    m_work->ask([this, find = m_find, recent = m_recent(), preferences = m_explorer.preferences()] {
        return [this, models = find(recent, preferences)] {
            const ListedModel* const chosen = m_rows->modelAt(m_list->currentIndex());
            const std::string where = chosen ? chosen->found.where : std::string();
            m_rows->setModels(models);
            const QModelIndex same = m_rows->find(where);
            m_list->setCurrentIndex(same.isValid() ? same : m_rows->index(1));
            showWords();
            Q_EMIT listed();
        };
    });
}

QStringList StartPage::downloaded() const
{
    QStringList names;
    for (int row = 0; row < m_rows->rowCount(); ++row)
        if (const ListedModel* const model = m_rows->modelAt(m_rows->index(row));
            model && model->canOpen() && model->group == ListedModel::Group::Downloaded)
            names << QString::fromStdString(model->found.where);
    return names;
}

void StartPage::refresh()
{
    const bool isWanted = m_isAsked || lacksModel(Side::Left) || lacksModel(Side::Right);
    const bool isNew = isWanted && isHidden();
    const QWidget* const focused = QApplication::focusWidget();
    const bool takesFocus = std::any_of(kSides.begin(), kSides.end(), [&](Side side) {
        return focused == &m_grids.grid(side).canvas() && covers(side);
    });
    if (isNew)
        search();
    showWords();
    place();
    setVisible(isWanted);
    if (isWanted)
        raise();
    if (isNew && takesFocus)
        setFocus();
    m_list->viewport()->update();
}

/// Over the grids it stands for, with their titles.
void StartPage::place()
{
    QRect covered;
    for (const Side side : kSides)
        if (lacksModel(side))
            covered |= m_grids.grid(side).geometry();
    const bool isWhole = m_isAsked || (lacksModel(Side::Left) && lacksModel(Side::Right));
    setGeometry(isWhole ? m_grids.rect() : covered);
}

QString StartPage::problem() const
{
    QStringList problems;
    for (const Side side : kSides)
        if (lacksModel(side) && !m_explorer.state(side).problem.isEmpty())
            problems << m_explorer.state(side).problem;
    problems.removeDuplicates();
    return problems.join(QLatin1Char('\n'));
}

QString StartPage::whereOpen(const model::FoundModel& found) const
{
    QStringList sides;
    for (const Side side : kSides) {
        const auto& model = m_explorer.state(side).model;
        if (model && (found.spec ? model->folder == found.folder : model->request.source == found.where))
            sides << (side == Side::Left ? tr("left") : tr("right"));
    }
    return sides.isEmpty() ? QString() : tr("open: %1").arg(sides.join(tr(" and ")));
}

void StartPage::open(const QModelIndex& line, std::optional<Side> side)
{
    const ListedModel* const model = m_rows->modelAt(line);
    if (!model || !model->canOpen())
        return;
    const QString source = QString::fromStdString(model->found.where);
    const bool isPair = model->group == ListedModel::Group::Demo;
    const Side there = side.value_or(target());
    m_isAsked = false;
    if (!isPair) {
        m_explorer.openModel(there, source);
    } else {
        m_explorer.edit(tr("Open the demo pair"), [](control::Document& document) {
            document.side(Side::Left).setModel(QStringLiteral("demo:dense"));
            document.side(Side::Right).setModel(QStringLiteral("demo:sparse"));
            if (document.prompt().text.trimmed().isEmpty())
                control::setPrompt(document, QString::fromUtf8(control::kDemoPrompt));
        });
        m_explorer.rerun();
    }
    refresh();
    if (isHidden())
        Q_EMIT closed();
}

/// Enter opens where the page stands; L and R name a side.
bool StartPage::openByKey(int key)
{
    const QModelIndex line = m_list->currentIndex();
    switch (key) {
    case Qt::Key_Return:
    case Qt::Key_Enter: open(line, std::nullopt); return true;
    case Qt::Key_L: open(line, Side::Left); return true;
    case Qt::Key_R: open(line, Side::Right); return true;
    default: return false;
    }
}

bool StartPage::eventFilter(QObject* watched, QEvent* event)
{
    const QEvent::Type type = event->type();
    if (watched == m_list && type == QEvent::KeyPress) {
        const auto* const key = static_cast<const QKeyEvent*>(event);
        const bool isPlain = !(key->modifiers() & ~Qt::KeypadModifier);
        return (isPlain && openByKey(key->key())) || QWidget::eventFilter(watched, event);
    }
    if (watched != m_list && (type == QEvent::Resize || type == QEvent::Move || type == QEvent::Show))
        place();
    return QWidget::eventFilter(watched, event);
}

void StartPage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && m_isAsked)
        return leave();
    QWidget::keyPressEvent(event);
}

}  // namespace hs::start
