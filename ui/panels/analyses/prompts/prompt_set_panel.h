#pragma once

#include "panels/analyses/analysis_frame.h"
#include "panels/analyses/prompts/prompt_rows.h"

class QCheckBox;
class QLineEdit;
class QMenu;
class QTableView;

namespace hs::control {
class LateWork;
}

namespace hs::panels {

class PromptOrder;

/// A set of prompts as a list: each prompt's loss and answer in both models. Going through it changes the prompt; its
/// averages are shown in the grids instead of one prompt's tiles.
class PromptSetPanel : public AnalysisFrame {
    Q_OBJECT

public:
    explicit PromptSetPanel(control::Explorer& explorer, QWidget* parent = nullptr);

    /// How many prompts the list shows, and which of the set's they are.
    int shownCount() const;
    int indexAt(int row) const;

protected:
    void showDocument() override;
    void showResult() override;
    bool hasContent() const override;
    figures::DataTable table() const override;
    QString partOf(const service::AnalysisResult& result) const override;

private:
    /// What the list was read from.
    struct Origin {
        service::SetSource source;
        std::array<std::shared_ptr<const text::Tokenizer>, 2> tokenizers;  // [Side]; null for a file

        friend bool operator==(const Origin&, const Origin&) = default;
    };
    struct Reading {
        PromptList prompts;  // null: it cannot be read
        QString problem;     // why it cannot, or what is odd about it
    };

    void compose();
    void composeForm();
    void composeTable();
    QMenu* newOpenMenu();
    /// Reads the set unless that was done.
    void read();
    static Reading readingOf(const Origin& origin);
    void take(const Reading& reading);
    void lookAt(const QModelIndex& row);
    /// Changes which rows there are: the one that is current then is not the user's choice.
    void change(const std::function<void()>& what);
    /// Marks the document's prompt in the list.
    void follow();
    QString summary() const;

    PromptRows* m_rows;
    PromptOrder* m_order;
    QTableView* m_table;
    control::LateWork* m_late;
    QPushButton* m_open = nullptr;
    QLabel* m_name = nullptr;
    QLineEdit* m_pattern = nullptr;
    QComboBox* m_show = nullptr;
    QComboBox* m_align = nullptr;
    QLineEdit* m_filter = nullptr;
    QCheckBox* m_different = nullptr;
    QLabel* m_problem = nullptr;
    std::optional<Origin> m_origin;
    bool m_isFollowing = false;
};

}  // namespace hs::panels
