#include "window/far_model_dialog.h"

#include "base/text_format.h"
#include "control/work/late_work.h"
#include "service/far_source.h"
#include "window/plain_tool_tip.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace hs::window {
namespace {

constexpr int kSource = Qt::UserRole;  // of a model; empty for one that cannot be opened
constexpr int kFolder = Qt::UserRole + 1;

QTreeWidgetItem* modelItem(const service::FarFolder::Model& model)
{
    const QString problem = QString::fromStdString(model.problem);
    auto* const item =
        new QTreeWidgetItem({QString::fromStdString(model.name), QString::fromStdString(model.family),
                             model.bytes > 0 ? QString::fromStdString(formatBytes(model.bytes)) : QString()});
    item->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
    item->setToolTip(0, plainToolTip(problem.isEmpty() ? QString::fromStdString(model.source) : problem));
    item->setData(0, kSource, problem.isEmpty() ? QString::fromStdString(model.source) : QString());
    if (problem.isEmpty()) {
        QFont bold = item->font(0);
        bold.setBold(true);
        item->setFont(0, bold);
    } else {
        item->setDisabled(true);
    }
    return item;
}

}  // namespace

FarModelDialog::FarModelDialog(List list, const QStringList& hosts, Side side, QWidget* parent)
    : QDialog(parent), m_list(std::move(list)), m_host(new QComboBox),
      m_connect(new QPushButton(tr("&Connect"))), m_state(new QLabel), m_path(new QLineEdit),
      m_up(new QPushButton(tr("&Up"))), m_entries(new QTreeWidget), m_sides(new QComboBox),
      m_buttons(new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel)),
      m_work(new control::LateWork(this))
{
    setWindowTitle(tr("A model on another machine"));
    m_host->setObjectName(QStringLiteral("host"));
    m_host->setEditable(true);
    m_host->addItems(hosts);
    m_host->lineEdit()->setPlaceholderText(tr("user@host, or a name from your ssh configuration"));
    m_host->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_state->setObjectName(QStringLiteral("state"));
    m_state->setTextFormat(Qt::PlainText);
    m_state->setWordWrap(true);
    m_state->setText(
        tr("Your own ssh is used, with its keys and jump hosts. HeadScope has to be installed there."));
    m_path->setObjectName(QStringLiteral("path"));
    m_path->setAccessibleName(tr("Folder there"));
    m_entries->setObjectName(QStringLiteral("entries"));
    m_entries->setHeaderLabels({tr("Name"), tr("Family"), tr("Size")});
    m_entries->setRootIsDecorated(false);
    m_entries->setUniformRowHeights(true);
    m_entries->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_entries->header()->setStretchLastSection(false);

    m_sides->setObjectName(QStringLiteral("sides"));
    m_sides->addItem(tr("on the left"), QVariant::fromValue(QList<int>{0}));
    m_sides->addItem(tr("on the right"), QVariant::fromValue(QList<int>{1}));
    m_sides->addItem(tr("on both sides"), QVariant::fromValue(QList<int>{0, 1}));
    m_sides->setCurrentIndex(static_cast<int>(indexOf(side)));

    auto* const machine = new QHBoxLayout;
    machine->addWidget(m_host, 1);
    machine->addWidget(m_connect);
    auto* const folder = new QHBoxLayout;
    folder->addWidget(m_path, 1);
    folder->addWidget(m_up);
    auto* const form = new QFormLayout;
    const auto add = [form](const QString& text, QWidget* buddy, QLayout* row) {
        auto* const label = new QLabel(text);
        label->setBuddy(buddy);
        form->addRow(label, row);
    };
    add(tr("&Machine:"), m_host, machine);
    add(tr("&Folder there:"), m_path, folder);
    auto* const column = new QVBoxLayout(this);
    column->addLayout(form);
    column->addWidget(m_state);
    column->addWidget(m_entries, 1);
    auto* const foot = new QHBoxLayout;
    auto* const shown = new QLabel(tr("&Show it"));
    shown->setBuddy(m_sides);
    foot->addWidget(shown);
    foot->addWidget(m_sides);
    foot->addWidget(m_buttons, 1);
    column->addLayout(foot);
    resize(620, 460);
    connectParts();
    refreshButtons();
}

FarModelDialog::~FarModelDialog()
{
    m_stop.request_stop();
}

void FarModelDialog::connectParts()
{
    m_connect->setAutoDefault(false);
    m_up->setAutoDefault(false);
    connect(m_connect, &QPushButton::clicked, this, [this] { go({}); });
    connect(m_host->lineEdit(), &QLineEdit::returnPressed, this, [this] { go({}); });
    connect(m_host, &QComboBox::editTextChanged, this, &FarModelDialog::refreshButtons);
    connect(m_path, &QLineEdit::returnPressed, this, [this] { go(m_path->text()); });
    connect(m_up, &QPushButton::clicked, this, [this] { go(m_parent); });
    connect(m_entries, &QTreeWidget::currentItemChanged, this, &FarModelDialog::refreshButtons);
    connect(m_entries, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
        if (const QString folder = item->data(0, kFolder).toString(); !folder.isEmpty())
            go(folder);
        else if (!item->data(0, kSource).toString().isEmpty())
            accept();
    });
    connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

QString FarModelDialog::host() const
{
    return m_host->currentText().trimmed();
}

QTreeWidgetItem* FarModelDialog::current() const
{
    return m_entries->currentItem();
}

QString FarModelDialog::source() const
{
    const QString chosen = current() ? current()->data(0, kSource).toString() : QString();
    return chosen.isEmpty() ? QString()
                            : QString::fromStdString(service::toString(
                                  service::FarSource{m_listedHost.toStdString(), chosen.toStdString()}));
}

std::vector<Side> FarModelDialog::sides() const
{
    std::vector<Side> sides;
    for (const int side : m_sides->currentData().value<QList<int>>())
        sides.push_back(static_cast<Side>(side));
    return sides;
}

/// Lists a folder; an empty path is the home folder there.
void FarModelDialog::go(const QString& path)
{
    if (host().isEmpty())
        return;
    m_stop.request_stop();
    m_stop = std::stop_source();
    m_state->setText(m_listedHost == host() ? tr("Reading the folder …")
                                            : tr("Connecting to %1 …").arg(host()));
    m_work->ask([this, list = m_list, host = host(), path, stop = m_stop.get_token()] {
        return [this, host, folder = list(host.toStdString(), path.toStdString(), {{}, stop})] {
            if (folder)
                m_listedHost = host;
            listed(folder);
        };
    });
}

void FarModelDialog::listed(const Result<service::FarFolder>& folder)
{
    if (!folder) {
        m_state->setText(QString::fromStdString(folder.error().message));
        return;
    }
    m_path->setText(QString::fromStdString(folder->path));
    m_parent = QString::fromStdString(folder->parent);
    m_entries->clear();
    for (const service::FarFolder::Model& model : folder->models)
        m_entries->addTopLevelItem(modelItem(model));
    for (const std::string& name : folder->folders) {
        auto* const item = new QTreeWidgetItem({QString::fromStdString(name) + QLatin1Char('/')});
        item->setData(0, kFolder, QString::fromStdString(folder->path + "/" + name));
        m_entries->addTopLevelItem(item);
    }
    const auto models = folder->models.size();
    m_state->setText(models == 0 ? tr("No model in this folder; open a folder below, or type a path.")
                     : models == 1
                         ? tr("One model here or in the download cache of that machine.")
                         : tr("%1 models here and in the download cache of that machine.").arg(models));
    if (m_entries->topLevelItemCount() > 0)
        m_entries->setCurrentItem(m_entries->topLevelItem(0));
    m_entries->setFocus();
    refreshButtons();
}

void FarModelDialog::refreshButtons()
{
    const bool isListed = !m_listedHost.isEmpty() && m_listedHost == host();
    m_connect->setEnabled(!host().isEmpty());
    m_path->setEnabled(isListed);
    m_up->setEnabled(isListed && !m_parent.isEmpty());
    m_entries->setEnabled(isListed);
    m_buttons->button(QDialogButtonBox::Open)->setEnabled(isListed && !source().isEmpty());
}

}  // namespace hs::window
