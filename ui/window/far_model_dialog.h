#pragma once

#include "base/hooks.h"
#include "base/side.h"
#include "service/far_models.h"

#include <QDialog>

#include <functional>

class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace hs::control {
class LateWork;
}

namespace hs::window {

/// Chooses a model on another machine: asks for the host, lists its folders and models. What the other machine
/// says is shown as plain text.
class FarModelDialog : public QDialog {
    Q_OBJECT

public:
    /// Lists a folder of a host; an empty path is the home folder there. Called on another thread.
    using List = std::function<Result<service::FarFolder>(const std::string& host, const std::string& path,
                                                          const Hooks& hooks)>;

    FarModelDialog(List list, const QStringList& hosts, Side side, QWidget* parent = nullptr);
    ~FarModelDialog() override;

    QString host() const;
    /// Of the model chosen: "ssh://gpu//models/olmo".
    QString source() const;
    /// Where it is to be shown.
    std::vector<Side> sides() const;

private:
    void connectParts();
    void go(const QString& path);
    void listed(const Result<service::FarFolder>& folder);
    void refreshButtons();
    QTreeWidgetItem* current() const;

    List m_list;
    QComboBox* m_host;
    QPushButton* m_connect;
    QLabel* m_state;
    QLineEdit* m_path;
    QPushButton* m_up;
    QTreeWidget* m_entries;
    QComboBox* m_sides;
    QDialogButtonBox* m_buttons;
    QString m_listedHost;  // whose folder is listed; empty: none yet
    QString m_parent;      // of the folder listed
    std::stop_source m_stop;
    control::LateWork* m_work;
};

}  // namespace hs::window
