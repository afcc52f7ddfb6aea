#include "control/document/preferences.h"

#include "support/catch.h"
#include "support/temp_dir.h"

#include <QSettings>

using namespace hs;

namespace {

QString iniIn(const test::TempDir& folder)
{
    return QString::fromStdString((folder / "settings.ini").string());
}

}  // namespace

TEST_CASE("preferences come back as they were saved, from the file")
{
    const test::TempDir folder;
    control::Preferences saved;
    saved.theme = control::Preferences::Theme::Dark;
    saved.device = "cuda:1,cpu";
    saved.dtype = "bf16";
    saved.tf32 = true;
    saved.mapBudget = std::uint64_t{6} << 30;
    saved.runsAsYouType = false;
    saved.isLinked = false;
    saved.autosaveSeconds = 42;
    saved.offersTour = false;
    saved.look = {render::ColourMap::names().back(), render::Scale::Linear, true, true,
                  render::LabelCorner::TopLeft};
    // A new field belongs here and in preferences.cpp.
    const auto& [theme, device, dtype, tf32, budget, asYouType, linked, seconds, tour, look] = saved;
    const control::Preferences plain;
    CHECK((theme != plain.theme && device != plain.device && dtype != plain.dtype && tf32 != plain.tf32 &&
           budget != plain.mapBudget && asYouType != plain.runsAsYouType && linked != plain.isLinked &&
           seconds != plain.autosaveSeconds && tour != plain.offersTour && look != plain.look));
    {
        QSettings settings(iniIn(folder), QSettings::IniFormat);
        control::savePreferences(saved, settings);
    }
    const QSettings settings(iniIn(folder), QSettings::IniFormat);
    CHECK(control::loadPreferences(settings) == saved);
}

TEST_CASE("preferences that are missing or make no sense are the defaults")
{
    const test::TempDir folder;
    QSettings settings(iniIn(folder), QSettings::IniFormat);
    CHECK(control::loadPreferences(settings) == control::Preferences());
    control::savePreferences({}, settings);
    for (const QString& key : settings.allKeys())
        for (const QVariant& nonsense :
             {QVariant("nonsense"), QVariant(-7), QVariant("1e999"), QVariant(),
              QVariant(QStringList{"a", "b"}), QVariant(QByteArray("\xff\x00", 2)),
              QVariant("99999999999999999999999"), QVariant("cuda:99999"), QVariant("auto\n"), QVariant(0)}) {
            const QVariant sense = settings.value(key);
            settings.setValue(key, nonsense);
            INFO(key.toStdString() << " = " << nonsense.toString().toStdString());
            CHECK(control::loadPreferences(settings) == control::Preferences());
            settings.setValue(key, sense);
        }
}
