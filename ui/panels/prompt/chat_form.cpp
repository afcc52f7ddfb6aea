#include "panels/prompt/chat_form.h"

#include "panels/prompt/prompt_edit.h"
#include "text/chat_template.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>

#include <algorithm>

namespace hs::panels {
namespace {

constexpr int kMostChatLines = 7;  // of text that the form is high; more scroll

QToolButton* newChatButton(QWidget* parent, const QString& name, const QString& text, const QString& tip)
{
    auto* const button = new QToolButton(parent);
    button->setObjectName(name);
    button->setText(text);
    button->setToolTip(tip);
    button->setAutoRaise(true);
    return button;
}

}  // namespace

ChatForm::ChatForm(control::Explorer& explorer, QWidget* parent)
    : QWidget(parent), m_explorer(explorer), m_area(new QScrollArea(this)), m_lines(new QWidget)
{
    setObjectName(QStringLiteral("chatForm"));
    m_area->setWidget(m_lines);
    m_area->setWidgetResizable(true);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* const lines = new QVBoxLayout(m_lines);
    lines->setContentsMargins({});
    lines->setSpacing(2);
    m_lines->installEventFilter(this);

    m_template = new QComboBox(this);
    m_template->setObjectName(QStringLiteral("chatTemplate"));
    m_template->setAccessibleName(tr("Chat template"));
    m_template->setToolTip(tr("How messages become the text that the model reads"));
    m_template->addItem(tr("Model's own template"), QString());
    for (const text::ChatTemplate& one : text::chatTemplates())
        m_template->addItem(QString::fromStdString(std::string(one.name)),
                            QString::fromStdString(std::string(one.name)));
    m_system = newChatButton(this, QStringLiteral("addSystem"), tr("+ system"), tr("Add a system message"));
    auto* const add =
        newChatButton(this, QStringLiteral("addMessage"), tr("+ message"), tr("Add a message at the end"));
    auto* const tools = new QHBoxLayout;
    tools->setSpacing(4);
    for (QWidget* const tool :
         {static_cast<QWidget*>(m_template), static_cast<QWidget*>(m_system), static_cast<QWidget*>(add)})
        tools->addWidget(tool);
    tools->addStretch(1);
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(2);
    column->addWidget(m_area);
    column->addLayout(tools);
    column->addStretch(1);

    m_pause.setSingleShot(true);
    connect(&m_pause, &QTimer::timeout, this, &ChatForm::commit);
    connect(m_template, &QComboBox::activated, this,
            [this] { edit(tr("Choose chat template"), [](auto&) {}); });
    connect(m_system, &QToolButton::clicked, this, [this] {
        edit(tr("Add system message"), [](text::Chat& chat) {
            chat.messages.insert(chat.messages.begin(), {text::ChatRole::System, {}});
        });
        m_rows.front().text->setFocus();
    });
    connect(add, &QToolButton::clicked, this, [this] {
        edit(tr("Add message"), [](text::Chat& chat) {
            const bool isAnswer = !chat.messages.empty() && chat.messages.back().role == text::ChatRole::User;
            chat.messages.push_back({isAnswer ? text::ChatRole::Assistant : text::ChatRole::User, {}});
        });
        focusLast();
    });
}

void ChatForm::addRow()
{
    Row row{};
    row.line = new QWidget(m_lines);
    row.role = new QComboBox(row.line);
    row.role->setObjectName(QStringLiteral("chatRole"));
    row.role->setAccessibleName(tr("Role"));
    for (const QString& role : {tr("system"), tr("user"), tr("assistant")})  // in the order of ChatRole
        row.role->addItem(role);
    row.text = new PromptEdit(row.line);
    row.text->setObjectName(QStringLiteral("chatMessage"));
    row.text->setAccessibleName(tr("Message"));
    row.remove = newChatButton(row.line, QStringLiteral("removeMessage"), tr("×"), tr("Remove this message"));
    auto* const line = new QHBoxLayout(row.line);
    line->setContentsMargins({});
    line->setSpacing(4);
    line->addWidget(row.role, 0, Qt::AlignTop);
    line->addWidget(row.text, 1);
    line->addWidget(row.remove, 0, Qt::AlignTop);
    m_lines->layout()->addWidget(row.line);
    row.line->show();  // at once, so that it can have the focus

    connect(row.text, &PromptEdit::typed, this, [this] {
        if (m_explorer.preferences().runsAsYouType)
            m_pause.start(m_explorer.typingPause());
    });
    connect(row.text, &PromptEdit::submitted, this, &ChatForm::run);
    connect(
        row.text, &PromptEdit::left, this,
        [this] {
            if (m_pause.isActive())
                commit();
            ++m_typing;
        },
        Qt::QueuedConnection);
    connect(row.role, &QComboBox::activated, this, [this] { edit(tr("Change role"), [](auto&) {}); });
    connect(row.remove, &QToolButton::clicked, this, [this, line = row.line] {
        const auto removed = std::ranges::find(m_rows, line, &Row::line) - m_rows.begin();
        edit(tr("Remove message"),
             [&](text::Chat& chat) { chat.messages.erase(chat.messages.begin() + removed); });
    });
    m_rows.push_back(row);
}

void ChatForm::showDocument()
{
    const control::Document& document = m_explorer.document();
    if (!document.prompt().isChat || document.prompt().text == m_shown)
        return;
    m_pause.stop();
    m_shown = document.prompt().text;
    const Result<text::Chat> read = text::parseChat(m_shown.toStdString(), "The chat");
    const text::Chat chat = read ? *read : text::Chat();
    m_date = chat.date;
    while (m_rows.size() > chat.messages.size()) {
        m_rows.back().line->deleteLater();
        m_rows.back().line->hide();
        m_rows.pop_back();
    }
    while (m_rows.size() < chat.messages.size())
        addRow();
    for (std::size_t index = 0; index < m_rows.size(); ++index) {
        const Row& row = m_rows[index];
        row.role->setCurrentIndex(static_cast<int>(chat.messages[index].role));
        const QString content = QString::fromStdString(chat.messages[index].content);
        if (row.text->toPlainText() != content)
            row.text->showPrompt(content);
        row.remove->setEnabled(m_rows.size() > 1);
    }
    m_template->setCurrentIndex(std::max(0, m_template->findData(QString::fromStdString(chat.templateName))));
    m_system->setEnabled(chat.messages.empty() || chat.messages.front().role != text::ChatRole::System);
    fitHeight();
}

text::Chat ChatForm::typed() const
{
    text::Chat chat;
    for (const Row& row : m_rows)
        chat.messages.push_back(
            {static_cast<text::ChatRole>(row.role->currentIndex()), row.text->toPlainText().toStdString()});
    chat.templateName = m_template->currentData().toString().toStdString();
    chat.date = m_date;
    return chat;
}

void ChatForm::commit()
{
    m_pause.stop();
    if (!m_explorer.document().prompt().isChat)
        return;
    m_shown = QString::fromStdString(text::chatJson(typed()));
    m_explorer.edit(
        tr("Change chat"),
        [this](control::Document& document) { control::setPrompt(document, m_shown, true); },
        QStringLiteral("chat-%1").arg(m_typing));
}

void ChatForm::edit(const QString& what, const std::function<void(text::Chat&)>& change)
{
    m_pause.stop();
    ++m_typing;
    text::Chat chat = typed();
    change(chat);
    m_explorer.edit(what, [&](control::Document& document) {
        control::setPrompt(document, QString::fromStdString(text::chatJson(chat)), true);
    });
}

void ChatForm::run()
{
    const QString before = m_explorer.document().prompt().text;
    commit();
    ++m_typing;
    if (m_explorer.document().prompt().text == before)
        m_explorer.rerun();
}

void ChatForm::switchTo(bool isChat, const QString& text)
{
    QString prompt;
    if (isChat) {
        prompt =
            QString::fromStdString(text::chatJson({{{text::ChatRole::User, text.toStdString()}}, {}, {}}));
    } else {
        text::Chat chat = typed();
        const text::ChatMessage* const last = text::lastOfUser(chat);
        prompt = last ? QString::fromStdString(last->content) : QString();
    }
    m_pause.stop();
    m_explorer.edit(isChat ? tr("Write a chat") : tr("Write a text"),
                    [&](control::Document& document) { control::setPrompt(document, prompt, isChat); });
}

void ChatForm::focusLast()
{
    if (m_rows.empty())
        return;
    m_rows.back().text->setFocus();
    m_area->ensureWidgetVisible(m_rows.back().line);
}

/// As high as its rows, up to a few lines: the grids below need the room.
void ChatForm::fitHeight()
{
    const int most = kMostChatLines * fontMetrics().lineSpacing() * 3 / 2;
    m_area->setFixedHeight(std::clamp(m_lines->sizeHint().height(), fontMetrics().lineSpacing(), most));
}

bool ChatForm::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_lines && event->type() == QEvent::LayoutRequest)
        fitHeight();
    return QWidget::eventFilter(watched, event);
}

}  // namespace hs::panels
