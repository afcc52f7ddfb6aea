#include "control/session/recent_models.h"

#include "support/catch.h"
#include "support/temp_dir.h"

#include <QDir>
#include <QSettings>

using namespace hs;

namespace {

QString recentIniIn(const test::TempDir& folder)
{
    return QString::fromStdString((folder / "settings.ini").string());
}

}  // namespace

TEST_CASE("the model opened last stands first and none stands twice")
{
    const test::TempDir folder;
    QSettings settings(recentIniIn(folder), QSettings::IniFormat);
    control::RecentModels recent(settings);
    CHECK(recent.list().isEmpty());
    for (const char* const source :
         {"demo:dense", "/models/a", "org/name", "/models/a/", "/models/./b/../a", " demo:dense ", ""})
        recent.add(QString::fromLatin1(source));
    CHECK(recent.list() == QStringList{"demo:dense", "/models/a", "org/name"});
    recent.remove(QStringLiteral("/models/a/"));
    CHECK(recent.list() == QStringList{"demo:dense", "org/name"});
    recent.clear();
    CHECK(recent.list().isEmpty());
}

TEST_CASE("ten recent models are kept, with one or with many, from one start to the next")
{
    const test::TempDir folder;
    QStringList expected;
    {
        QSettings settings(recentIniIn(folder), QSettings::IniFormat);
        control::RecentModels recent(settings);
        recent.add(QStringLiteral("org/only, with a comma"));
        CHECK(recent.list() == QStringList{"org/only, with a comma"});
        for (int number = 0; number < 25; ++number) {
            recent.add(QStringLiteral("org/model-%1").arg(number));
            expected.prepend(QStringLiteral("org/model-%1").arg(number));
        }
        recent.add(expected.front());
        CHECK(recent.list() == expected.mid(0, 10));
    }
    QSettings settings(recentIniIn(folder), QSettings::IniFormat);
    CHECK(control::RecentModels(settings).list() == expected.mid(0, 10));
}

TEST_CASE("a relative path is kept absolute")
{
    const test::TempDir folder;
    QSettings settings(recentIniIn(folder), QSettings::IniFormat);
    control::RecentModels recent(settings);
    recent.add(QStringLiteral("./model"));
    CHECK(recent.list() == QStringList{QDir::current().absoluteFilePath(QStringLiteral("model"))});
}
