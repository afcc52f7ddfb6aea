#pragma once

#include "control/explorer/explorer.h"
#include "text/chat.h"

#include <QTimer>
#include <QWidget>

#include <functional>
#include <vector>

class QComboBox;
class QScrollArea;
class QToolButton;

namespace hs::panels {

class PromptEdit;

/// The messages of a chat, a row each, and the template that makes a text of them. What is typed becomes the document's
/// prompt after a short pause, or on Return, depending on the preferences.
class ChatForm : public QWidget {
    Q_OBJECT

public:
    explicit ChatForm(control::Explorer& explorer, QWidget* parent = nullptr);

    /// Keeps what is being typed, unless the document's own chat has changed elsewhere.
    void showDocument();
    /// Makes what is typed the document's prompt.
    void commit();
    /// The same, ending the undo step; what has not changed runs again.
    void run();
    void focusLast();
    /// A text becomes the user's message of a chat, and the user's last message the text.
    void switchTo(bool isChat, const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Row {
        QWidget* line;
        QComboBox* role;
        PromptEdit* text;
        QToolButton* remove;
    };

    void addRow();
    void fitHeight();
    text::Chat typed() const;
    void edit(const QString& what, const std::function<void(text::Chat&)>& change);

    control::Explorer& m_explorer;
    QScrollArea* m_area = nullptr;
    QWidget* m_lines = nullptr;
    std::vector<Row> m_rows;
    QComboBox* m_template = nullptr;
    QToolButton* m_system = nullptr;
    QTimer m_pause;
    QString m_shown;     // the document's chat as last seen
    std::string m_date;  // of the chat; has no field here
    int m_typing = 0;    // separates the undo steps of typing
};

}  // namespace hs::panels
