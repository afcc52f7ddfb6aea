#include "panels/prompt/prompt_panel.h"

#include "control/work/set_words.h"
#include "panels/prompt/block_menu.h"
#include "panels/prompt/chat_form.h"
#include "panels/prompt/corrupted_row.h"
#include "panels/prompt/dial_row.h"
#include "panels/prompt/example_menu.h"
#include "panels/prompt/generation_row.h"
#include "panels/prompt/next_tokens.h"
#include "panels/prompt/prompt_edit.h"
#include "panels/prompt/prompt_line.h"
#include "panels/prompt/token_strip.h"
#include "panels/prompt/user_text.h"
#include "panels/widgets/accent_button.h"
#include "panels/widgets/flow_layout.h"
#include "panels/widgets/panel_widgets.h"
#include "panels/widgets/shown_tokens.h"

#include <QGridLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

namespace hs::panels {
namespace {

constexpr int kLeastLetters =
    24;  // of the line; a panel without room for them beside the buttons has these below

template <class Button = QPushButton>
Button* newButton(QWidget* parent, const QString& name, const QString& text, const QString& accessibleName)
{
    auto* const button = new Button(text, parent);
    button->setObjectName(name);
    button->setAccessibleName(accessibleName);
    button->setAutoDefault(false);
    return button;
}

}  // namespace

PromptPanel::PromptPanel(control::Explorer& explorer, QWidget* parent) : QWidget(parent), m_explorer(explorer)
{
    setObjectName(QStringLiteral("promptPanel"));
    m_pause.setSingleShot(true);
    compose();
    connectParts();
    m_corrupted->setVisible(false);
    m_generation->setVisible(false);
    m_shown = m_explorer.document().prompt().text;
    m_edit->showPrompt(m_explorer.document().prompt().isChat ? QString() : m_shown);
    showDocument();
}

void PromptPanel::compose()
{
    m_edit = new PromptEdit(this);
    setFocusProxy(m_edit);
    m_edit->setAccessibleName(tr("Prompt"));

    m_row = new QBoxLayout(QBoxLayout::LeftToRight);
    m_row->setSpacing(4);
    m_row->addWidget(m_edit, 1);
    m_chat = new ChatForm(m_explorer, this);
    m_row->addWidget(m_chat, 1);
    m_buttons = newButtons();
    m_row->addWidget(m_buttons);

    m_other = new PromptLine(
        m_explorer,
        {QStringLiteral("other"), tr("Right"), tr("Prompt of the right side"),
         tr("Type what the right side reads"),
         tr("The right side reads this, the left one the line above. Tokens that both have are matched, and "
            "the others marked."),
         tr("Change the right side's prompt")},
        [](const control::Document& document) { return userText(document.prompt(Side::Right)); },
        [](control::Document& document, const QString& text) {
            if (userText(document.prompt(Side::Right)) != text)
                control::setPrompt(document, withUserText(document.prompt(Side::Right), text), Side::Right);
        },
        this);
    m_dials = new DialRow(m_explorer, this);
    m_corrupted = new CorruptedRow(m_explorer, this);
    m_generation = new GenerationRow(m_explorer, this);
    m_strip = new TokenStrip(m_explorer, this);
    m_second = new TokenStrip(m_explorer, this);
    m_second->setObjectName(QStringLiteral("secondStrip"));
    for (QLabel*& name : m_names) {
        name = newQuietLabel(this, {});
        name->setWordWrap(false);
    }
    m_note = newQuietLabel(this, QStringLiteral("tokenNote"));
    m_note->setWordWrap(false);
    auto* const next = new NextTokens(m_explorer, this);
    connect(next, &QToolButton::clicked, this, &PromptPanel::predictionsRequested);
    auto* const tokens = new QGridLayout;
    tokens->setHorizontalSpacing(8);
    tokens->setVerticalSpacing(0);
    tokens->addWidget(m_names[0], 0, 0);
    tokens->addWidget(m_strip, 0, 1);
    tokens->addWidget(m_note, 0, 2);
    tokens->addWidget(next, 0, 3);
    tokens->addWidget(m_names[1], 1, 0);
    tokens->addWidget(m_second, 1, 1, 1, 3);
    tokens->setColumnStretch(1, 1);
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(4, 2, 4, 0);
    column->setSpacing(0);
    column->addLayout(m_row);
    column->addWidget(m_other);
    column->addWidget(m_dials);
    column->addWidget(m_corrupted);
    column->addLayout(tokens);
    column->addWidget(m_generation);
}

QWidget* PromptPanel::newButtons()
{
    auto* const buttons = new QWidget(this);
    auto* const flow = new FlowLayout(4, buttons);
    m_example = newButton(buttons, QStringLiteral("examplesButton"), tr("E&xamples"), tr("Example prompts"));
    m_examples = new ExampleMenu(m_explorer, m_example);
    m_example->setMenu(m_examples);
    m_older = newButton(buttons, QStringLiteral("historyButton"), tr("&History"), tr("Earlier prompts"));
    m_recent = new QMenu(m_older);
    m_older->setMenu(m_recent);
    m_bos = newButton<AccentButton>(buttons, QStringLiteral("bosButton"), tr("⟨bos⟩ ✓"),
                                    tr("Start with the bos token"));
    m_bos->setCheckable(true);
    m_bos->setMinimumWidth(m_bos->sizeHint().width());
    m_form = newButton<AccentButton>(buttons, QStringLiteral("chatButton"), tr("Cha&t"), tr("Write a chat"));
    m_form->setCheckable(true);
    m_cut = newButton(buttons, QStringLiteral("blocksButton"), tr("&Blocks"), tr("What maps have cells for"));
    m_blocks = new BlockMenu(m_explorer, m_cut);
    m_cut->setMenu(m_blocks);
    m_two = newButton<AccentButton>(buttons, QStringLiteral("twoPromptsButton"), tr("T&wo prompts"),
                                    tr("Another prompt for the right side"));
    m_two->setCheckable(true);
    m_run = newButton<AccentButton>(buttons, QStringLiteral("runButton"), tr("&Run ⏎"), tr("Run"));
    m_corruption = newButton<AccentButton>(buttons, QStringLiteral("corruptedButton"), tr("&Corrupted"),
                                           tr("Show the corrupted prompt"));
    m_corruption->setCheckable(true);
    m_generate =
        newButton<AccentButton>(buttons, QStringLiteral("generateButton"), tr("&Generate"), tr("Generate"));
    m_generate->setCheckable(true);
    for (QWidget* const button :
         {m_example, m_older, m_two, m_corruption, m_form, m_cut, m_bos, m_generate, m_run})
        flow->addWidget(button);
    return buttons;
}

void PromptPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const int beside = m_buttons->sizeHint().width() + kLeastLetters * fontMetrics().averageCharWidth();
    m_row->setDirection(width() >= beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

void PromptPanel::connectParts()
{
    connect(m_edit, &PromptEdit::typed, this, [this] {
        m_walked = -1;
        if (m_explorer.preferences().runsAsYouType)
            m_pause.start(m_explorer.typingPause());
    });
    connect(&m_pause, &QTimer::timeout, this, &PromptPanel::commit);
    connect(m_edit, &PromptEdit::submitted, this, &PromptPanel::run);
    connect(
        m_edit, &PromptEdit::left, this,
        [this] {
            if (!m_explorer.preferences().runsAsYouType || m_explorer.document().prompt().isChat)
                return;
            commit();
            m_history.add(m_edit->toPlainText());
        },
        Qt::QueuedConnection);
    connect(m_edit, &PromptEdit::olderRequested, this, [this] { walkHistory(1); });
    connect(m_edit, &PromptEdit::newerRequested, this, [this] { walkHistory(-1); });
    connect(m_run, &QPushButton::clicked, this, &PromptPanel::run);
    connect(m_bos, &QPushButton::clicked, this, [this](bool isOn) {
        m_explorer.edit(isOn ? tr("Start with bos") : tr("Leave out bos"),
                        [isOn](control::Document& document) {
                            for (const Side side : kSides)
                                control::setBos(document, isOn, side);
                        });
    });
    connect(m_form, &QPushButton::clicked, this, [this](bool isChat) {
        m_pause.stop();
        ++m_typing;
        m_chat->switchTo(isChat, m_edit->toPlainText());
        focusPrompt();
    });
    connect(m_two, &QPushButton::clicked, this, [this](bool isOn) {
        m_explorer.edit(isOn ? tr("Two prompts") : tr("Same prompt"),
                        [isOn](control::Document& document) { document.alike.prompt = !isOn; });
        if (isOn)
            m_other->focusPrompt();
    });
    connect(m_corruption, &QPushButton::toggled, m_corrupted, &QWidget::setVisible);
    connect(m_corruption, &QPushButton::clicked, this, [this](bool isOn) {
        if (isOn)
            m_corrupted->focusPrompt();
    });
    connect(m_generate, &QPushButton::clicked, this, [this](bool isOn) {
        if (!m_explorer.document().prompt().isChat)
            commit();  // what is typed comes first
        if (isOn)
            m_explorer.generate();
        else
            m_generation->takeAway();
        showGeneration();
    });
    connect(&m_explorer, &control::Explorer::generationChanged, this, &PromptPanel::showGeneration);
    connect(m_examples, &ExampleMenu::chosen, this, &PromptPanel::tookExample);
    connect(m_recent, &QMenu::aboutToShow, this, &PromptPanel::fillHistory);
    connect(&m_explorer, &control::Explorer::documentChanged, this, &PromptPanel::showDocument);
    connect(&m_explorer, &control::Explorer::stateChanged, this, &PromptPanel::showState);
}

void PromptPanel::focusPrompt()
{
    if (m_explorer.document().prompt().isChat)
        return m_chat->focusLast();
    m_edit->setFocus(Qt::ShortcutFocusReason);
    m_edit->selectAll();
}

/// Keeps what is being typed, unless the document's own prompt has changed elsewhere.
void PromptPanel::showDocument()
{
    const control::Document& document = m_explorer.document();
    if (document.prompt().text != m_shown) {
        m_shown = document.prompt().text;
        if (!document.prompt().isChat && m_edit->toPlainText() != m_shown && m_edit->isEnabled()) {
            m_pause.stop();
            m_walked = -1;
            m_edit->showPrompt(m_shown);
        }
    }
    m_edit->setVisible(!document.prompt().isChat);
    m_chat->setVisible(document.prompt().isChat);
    m_chat->showDocument();
    m_form->setChecked(document.prompt().isChat);
    m_two->setChecked(!document.alike.prompt);
    m_other->setVisible(!document.alike.prompt && m_explorer.whyNoRun().isEmpty());
    m_bos->setChecked(document.prompt().hasBos);
    m_bos->setText(document.prompt().hasBos ? tr("⟨bos⟩ ✓") : tr("⟨bos⟩"));
    showCorrupted();
    showGeneration();
    showState();
}

void PromptPanel::showGeneration()
{
    m_generate->setChecked(m_generation->isNeeded());
    m_generation->setVisible(m_generation->isNeeded());
}

/// One strip, or two where keys are other tokens than queries, or the sides read different texts.
void PromptPanel::showStrips(bool hasAxes)
{
    const bool hasTexts = !hasAxes && m_explorer.hasTwoTexts() &&
                          control::isShown(m_explorer.document().arrangement, Side::Left) &&
                          control::isShown(m_explorer.document().arrangement, Side::Right);
    m_strip->show(hasTexts ? std::optional(Side::Left) : std::nullopt,
                  hasAxes ? std::optional(control::Axis::Query) : std::nullopt);
    m_second->show(hasTexts ? std::optional(Side::Right) : std::nullopt,
                   hasAxes ? std::optional(control::Axis::Key) : std::nullopt);
    m_second->setVisible(hasAxes || hasTexts);
    for (QLabel* const name : m_names)
        name->setVisible(hasAxes || hasTexts);
    m_names[0]->setText(hasAxes ? tr("Queries") : tr("Left"));
    m_names[1]->setText(hasAxes ? tr("Keys") : tr("Right"));
    m_names[0]->setToolTip(hasAxes ? tr("The tokens that look: rows of the maps") : QString());
    m_names[1]->setToolTip(hasAxes ? tr("The tokens that are looked at: columns of the maps") : QString());
}

void PromptPanel::showState()
{
    const auto run = tokenRun(m_explorer);
    showStrips(run && !run->keyTokens.empty());
    const QString reason = m_explorer.whyNoRun();
    const bool canRun = reason.isEmpty();
    if (canRun != m_edit->isEnabled()) {
        m_pause.stop();
        m_edit->showPrompt(canRun && !m_explorer.document().prompt().isChat ? m_shown : QString());
    }
    m_edit->setPlaceholderText(canRun ? tr("Type a prompt, or choose an example")
                                      : tr("These maps come from a file: there is no prompt to run"));
    greyOut(*m_edit, reason,
            tr("Return runs, Shift-Return starts a new line, Up and Down recall earlier prompts."));
    greyOut(*m_example, reason);
    greyOut(*m_older, reason);
    greyOut(*m_corruption, reason,
            tr("A second prompt in which the answer is another one, to patch heads from and to find circuits "
               "with"));
    greyOut(*m_bos, reason,
            m_explorer.document().prompt().hasBos
                ? tr("The prompt starts with the model's bos token. Click to leave it out.")
                : tr("The prompt starts with its first word. Click to put the model's bos token before it."));
    greyOut(
        *m_two, reason,
        tr("Let the right side read another prompt, and see what differs. Click again for the same one."));
    m_cut->setText(m_blocks->words());
    greyOut(*m_cut, whyNotCut(m_explorer, text::BlockUnit::Words),
            tr("Cut the text into words, sentences, lines, messages or your own blocks: tiles then have a "
               "cell for each "
               "pair of them"));
    greyOut(*m_chat, reason);
    greyOut(*m_form, reason,
            m_explorer.document().prompt().isChat
                ? tr("The prompt is a chat. Click to keep the user's last message as a plain text.")
                : tr("Write messages of system, user and assistant, which the model's chat template joins"));
    greyOut(*m_run, reason, tr("Run the prompt (Return in the line)"));
    greyOut(*m_generate, reason,
            m_generate->isChecked()
                ? tr("The models have written on behind the prompt. Click to take their text away.")
                : tr("Let both models write on behind the prompt, and look at each step"));
    m_corrupted->setVisible(m_corruption->isChecked() && canRun);
    m_dials->setVisible(m_dials->isNeeded());
    showNote();
}

/// Opens the row when it comes into use and closes it when it goes out of use; in between it is as the user
/// left it.
void PromptPanel::showCorrupted()
{
    const bool isNeeded = m_corrupted->isNeeded();
    if (isNeeded != m_wasNeeded && !m_corrupted->isTyping())
        m_corruption->setChecked(isNeeded);
    m_wasNeeded = isNeeded;
}

void PromptPanel::showNote()
{
    const auto& left = m_explorer.state(Side::Left).run;
    const auto& right = m_explorer.state(Side::Right).run;
    const bool hasMaps =
        !m_explorer.whyNoRun(Side::Left).isEmpty() || !m_explorer.whyNoRun(Side::Right).isEmpty();
    const bool areBothCurrent = left && right &&
                                (hasMaps || (left->request.prompt == right->request.prompt &&
                                             left->request.hasBos == right->request.hasBos));
    const bool areDifferent = areBothCurrent && !m_explorer.hasTwoTexts() && !m_explorer.hasSameTokens();
    const Side shown = m_explorer.tokenSide();
    if (const auto run = tokenRun(m_explorer); run && run->set) {
        showText(*m_note, tr("places of the set: %1").arg(control::setWords(*run)));
        return m_note->setToolTip(
            tr("What stands at each place of the prompts: the token that all of them have, a slot of the "
               "template, or the place's number where they differ."));
    }
    showText(*m_note, areDifferent ? tr("tokens of %1").arg(sideTitle(m_explorer, shown)) : QString());
    const bool hasGenerated = left && right && left->request.generated != right->request.generated;
    m_note->setToolTip(
        (hasMaps ? tr("%1 has other tokens: point at its tiles to read them.")
         : hasGenerated
             ? tr("%1 wrote something else: cells are matched as far as the two texts agree.")
             : tr("%1 splits the prompt differently: its cells are matched by the characters they cover."))
            .arg(sideTitle(m_explorer, otherSide(shown))));
}

void PromptPanel::commit()
{
    m_pause.stop();
    if (!m_edit->isEnabled())
        return;
    const QString prompt = m_edit->toPlainText();
    m_shown = prompt;
    m_explorer.edit(
        tr("Change prompt"), [&](control::Document& document) { control::setPrompt(document, prompt); },
        QStringLiteral("prompt-%1").arg(m_typing));
}

void PromptPanel::run()
{
    if (m_explorer.document().prompt().isChat)
        m_chat->run();
    else
        runText();
}

void PromptPanel::runText()
{
    const bool isNew = m_edit->toPlainText() != m_explorer.document().prompt().text;
    commit();
    ++m_typing;
    m_walked = -1;
    m_history.add(m_edit->toPlainText());
    if (!isNew && m_explorer.document().set.average)
        m_explorer.edit(tr("Look at the prompt"),
                        [](control::Document& document) { document.set.average.reset(); });
    else if (!isNew)
        m_explorer.rerun();
}

void PromptPanel::tookExample(const Example& example)
{
    m_pause.stop();
    ++m_typing;
    m_edit->showPrompt(example.text);
    m_history.add(example.text);
}

void PromptPanel::choosePrompt(const QString& prompt)
{
    m_edit->showPrompt(prompt);
    runText();
}

void PromptPanel::walkHistory(int step)
{
    const QStringList& prompts = m_history.prompts();
    if (m_walked < 0)
        m_draft = m_edit->toPlainText();
    int next = m_walked + step;
    // The newest entry is often what the line already shows.
    if (m_walked < 0 && step > 0 && !prompts.isEmpty() && prompts.first() == m_draft)
        ++next;
    if (next < -1 || next >= prompts.size())
        return;
    m_edit->showPrompt(next < 0 ? m_draft : prompts.at(next));
    m_walked = next;
    if (m_explorer.preferences().runsAsYouType)
        m_pause.start(m_explorer.typingPause());
}

void PromptPanel::fillHistory()
{
    m_recent->clear();
    for (const QString& prompt : m_history.prompts())
        connect(addPlainAction(*m_recent, prompt), &QAction::triggered, this,
                [this, prompt] { choosePrompt(prompt); });
    if (m_recent->isEmpty())
        m_recent->addAction(tr("Prompts you run appear here"))->setEnabled(false);
}

}  // namespace hs::panels
