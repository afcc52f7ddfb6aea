#pragma once

#include "control/explorer/explorer.h"

#include <QTimer>
#include <QWidget>

#include <functional>

class QHBoxLayout;

namespace hs::panels {

class PromptEdit;

/// A named line with another text than the prompt that the document has: typing changes it after a short pause, in one
/// step until the line is left.
class PromptLine : public QWidget {
    Q_OBJECT

public:
    struct Words {
        QString id;     // the row's name for style and tests is id + "Row", the line's id + "Edit"
        QString label;  // in front of the line
        QString name;   // for screen readers
        QString hint;   // in the empty line
        QString toolTip;
        QString step;  // of undo
    };
    using Read = std::function<QString(const control::Document&)>;
    using Write = std::function<void(control::Document&, const QString&)>;

    PromptLine(control::Explorer& explorer, const Words& words, Read read, Write write,
               QWidget* parent = nullptr);

    bool isTyping() const;
    void focusPrompt();

protected:
    control::Explorer& explorer() { return m_explorer; }
    const control::Explorer& explorer() const { return m_explorer; }
    QHBoxLayout& row() { return *m_row; }

private:
    void showDocument();
    void commit();
    void finish();

    control::Explorer& m_explorer;
    QString m_id;
    QString m_step;
    Read m_read;
    Write m_write;
    PromptEdit* m_edit;
    QHBoxLayout* m_row;
    QTimer m_pause;
    QString m_shown;   // the document's, as last seen
    int m_typing = 0;  // separates the undo steps of typing
};

}  // namespace hs::panels
