#include "composer/preset_uses.h"
#include "composer/side_form.h"

#include <QFile>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace hs::composer {
namespace {

constexpr qint64 kLargestResult = 64 << 20;

}  // namespace

void SideForm::addResult()
{
    auto* const group = new QWidget;
    m_result = new QLabel;
    m_result->setObjectName(QStringLiteral("resultState"));
    m_result->setForegroundRole(QPalette::PlaceholderText);
    auto* const load = new QPushButton(tr("Load…"));
    load->setObjectName(QStringLiteral("loadResult"));
    load->setAccessibleName(tr("Load the result of an analysis"));
    m_forget = new QPushButton(tr("Compute"));
    m_forget->setObjectName(QStringLiteral("forgetResult"));
    m_forget->setAccessibleName(tr("Compute instead of the loaded result"));
    auto* const row = new QHBoxLayout(group);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(m_result, 1);
    row->addWidget(load);
    row->addWidget(m_forget);
    connect(load, &QPushButton::clicked, this, &SideForm::askForResult);
    connect(m_forget, &QPushButton::clicked, this, [this] {
        edit(tr("Result"), [this](control::FigureSpec& spec) { spec.sides[indexOf(m_side)].result.clear(); });
    });
    addControl({"result", tr("Result"),
                tr("Computed here, or the JSON that an analysis command of this program wrote"),
                usedBy(FigureKnob::Result)},
               group, [this](const control::FigureSpec& spec) {
                   const bool isLoaded = !spec.sides[indexOf(m_side)].result.empty();
                   m_result->setText(isLoaded ? tr("from a file") : tr("computed"));
                   m_forget->setVisible(isLoaded);
               });
}

void SideForm::askForResult()
{
    const QString name =
        QFileDialog::getOpenFileName(this, tr("Result of an analysis"), {}, tr("JSON (*.json)"));
    if (!name.isEmpty())
        loadResult(name);
}

void SideForm::loadResult(const QString& name)
{
    QFile file(name);
    if (!file.open(QIODevice::ReadOnly) || file.size() > kLargestResult)
        return m_result->setText(tr("cannot be read"));
    const std::string text = file.readAll().toStdString();
    edit(tr("Result"), [&](control::FigureSpec& spec) { spec.sides[indexOf(m_side)].result = text; });
}

}  // namespace hs::composer
