#include "window/far_model_dialog.h"

#include "base/failure.h"
#include "control/work/late_work.h"
#include "ui/explorer_under_test.h"
#include "window/machine_line.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>

using namespace hs;
using namespace hs::test;

namespace {

const service::FarFolder kHome = {"/far/ada",
                                  "/far",
                                  {"data", "models"},
                                  {{"/far/ada/models/olmo", "OLMo <b>7B</b>", "olmo2", 14'000'000'000, ""},
                                   {"/far/ada/old", "old", "", 0, "It has no weights; download it again."}}};

struct DialogUnderTest {
    std::vector<std::pair<std::string, std::string>> asked;  // host and path
    window::FarModelDialog dialog{
        [this](const std::string& host, const std::string& path, const Hooks&) -> Result<service::FarFolder> {
            asked.emplace_back(host, path);
            if (host != "gpu")
                return Error{ErrorCode::NotFound, "There is no machine " + host + "; check its name.", {}};
            service::FarFolder folder = kHome;
            if (path == "/far/ada/data")
                folder = {"/far/ada/data", "/far/ada", {}, {}};
            return folder;
        },
        {QStringLiteral("gpu"), QStringLiteral("nowhere")},
        Side::Right};

    QTreeWidget& entries() { return *dialog.findChild<QTreeWidget*>(QStringLiteral("entries")); }
    QPushButton& openButton()
    {
        return *dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Open);
    }
    QString state() { return dialog.findChild<QLabel*>(QStringLiteral("state"))->text(); }
    void settle()
    {
        REQUIRE(QTest::qWaitFor([&] { return control::LateWork::isDoneIn(dialog); }));
    }
    void connectTo(const char* host)
    {
        dialog.findChild<QComboBox*>(QStringLiteral("host"))->setCurrentText(QString::fromUtf8(host));
        QMetaObject::invokeMethod(dialog.findChild<QLineEdit*>(), "returnPressed");
        settle();
    }
};

}  // namespace

TEST_CASE("a model on another machine is chosen from its folders, by what that machine calls it")
{
    DialogUnderTest tested;
    CHECK_FALSE(tested.openButton().isEnabled());
    tested.connectTo("gpu");
    CHECK(tested.asked.back() == std::pair<std::string, std::string>("gpu", ""));
    REQUIRE(tested.entries().topLevelItemCount() == 4);
    CHECK(tested.openButton().isEnabled());
    CHECK(tested.dialog.source() == QStringLiteral("ssh://gpu//far/ada/models/olmo"));
    CHECK(tested.dialog.sides() == std::vector{Side::Right});

    CHECK(tested.entries().topLevelItem(1)->isDisabled());
    tested.entries().setCurrentItem(tested.entries().topLevelItem(2));
    CHECK_FALSE(tested.openButton().isEnabled());
    CHECK(tested.dialog.source().isEmpty());

    Q_EMIT tested.entries().itemActivated(tested.entries().topLevelItem(2), 0);
    tested.settle();
    CHECK(tested.asked.back().second == "/far/ada/data");
    CHECK(tested.entries().topLevelItemCount() == 0);
    CHECK(tested.state().contains(QStringLiteral("No model in this folder")));
}

TEST_CASE("a machine that cannot be reached is told with its reason, and nothing of another can be opened")
{
    DialogUnderTest tested;
    tested.connectTo("gpu");
    tested.connectTo("nowhere");
    CHECK(tested.state() == QStringLiteral("There is no machine nowhere; check its name."));
    CHECK_FALSE(tested.openButton().isEnabled());
}

TEST_CASE("the status bar tells of a line that cannot be opened, and tries it again when asked to")
{
    std::atomic<int> dials = 0;
    const auto machines = std::make_shared<service::Machines>([&](const std::string&) {
        ++dials;
        return [&]() -> std::unique_ptr<remote::Line> {
            fail(ErrorCode::NotFound, "There is no ssh; install openssh-client.");
        }();
    });
    window::MachineLine line(machines);
    CHECK(line.isHidden());
    REQUIRE_FALSE(machines->list("gpu", "", {}));
    REQUIRE(QTest::qWaitFor([&] { return !line.isHidden(); }));
    CHECK(line.findChild<QLabel*>()->text() == QStringLiteral("No line to gpu"));
    CHECK(line.findChild<QLabel*>()->toolTip().contains(QStringLiteral("install openssh-client")));
    const int before = dials;
    line.findChild<QToolButton*>()->click();
    REQUIRE(QTest::qWaitFor([&] { return dials > before; }));
}
