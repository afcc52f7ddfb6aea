#include "control/document/preferences.h"

#include <QRegularExpression>
#include <QSettings>

namespace hs::control {
namespace {

constexpr const char* kTheme = "preferences/theme";
constexpr const char* kDevice = "preferences/device";
constexpr const char* kDType = "preferences/dtype";
constexpr const char* kTf32 = "preferences/tf32";
constexpr const char* kMapBudget = "preferences/mapBudget";
constexpr const char* kRunsAsYouType = "preferences/runsAsYouType";
constexpr const char* kIsLinked = "preferences/linked";
constexpr const char* kAutosaveSeconds = "preferences/autosaveSeconds";
constexpr const char* kOffersTour = "preferences/offersTour";
constexpr const char* kColourMap = "preferences/look/colourMap";
constexpr const char* kScale = "preferences/look/scale";
constexpr const char* kIsPerHead = "preferences/look/perHead";
constexpr const char* kHidesFirstToken = "preferences/look/hidesFirstToken";
constexpr const char* kLabelCorner = "preferences/look/labelCorner";

constexpr std::uint64_t kLeastMapBudget = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostMapBudget = std::uint64_t{1} << 44;
constexpr int kMostAutosaveSeconds = 3600;

template <class Enum>
void read(const QSettings& settings, const char* key, Enum& value)
{
    value = fromWord<Enum>(settings.value(key).toString().toStdString()).value_or(value);
}

/// Unlike QVariant::toBool, does not take any word for true.
void read(const QSettings& settings, const char* key, bool& value)
{
    const QString stored = settings.value(key).toString();
    if (stored == QLatin1String("true") || stored == QLatin1String("false"))
        value = stored == QLatin1String("true");
}

template <class Enum>
void write(QSettings& settings, const char* key, Enum value)
{
    settings.setValue(key, QString::fromStdString(std::string(wordOf(value))));
}

void readText(const QSettings& settings, const char* key, const char* pattern, std::string& value)
{
    const QString stored = settings.value(key).toString();
    if (QRegularExpression(QRegularExpression::anchoredPattern(QLatin1String(pattern)))
            .match(stored)
            .hasMatch())
        value = stored.toStdString();
}

Look readLook(const QSettings& settings)
{
    Look look;
    if (const QString map = settings.value(kColourMap).toString(); render::ColourMap::names().contains(map))
        look.colourMap = map;
    read(settings, kScale, look.scale);
    read(settings, kIsPerHead, look.isPerHead);
    read(settings, kHidesFirstToken, look.hidesFirstToken);
    read(settings, kLabelCorner, look.labelCorner);
    return look;
}

}  // namespace

Preferences loadPreferences(const QSettings& settings)
{
    Preferences preferences;
    read(settings, kTheme, preferences.theme);
    readText(settings, kDevice, "auto|(cpu|cuda(:[0-9]{1,3})?)(,(cpu|cuda(:[0-9]{1,3})?)){0,15}",
             preferences.device);
    readText(settings, kDType, "auto|f32|bf16|f16", preferences.dtype);
    read(settings, kTf32, preferences.tf32);
    const std::uint64_t budget = settings.value(kMapBudget).toULongLong();  // 0 for nonsense
    if (budget >= kLeastMapBudget && budget <= kMostMapBudget)
        preferences.mapBudget = budget;
    read(settings, kRunsAsYouType, preferences.runsAsYouType);
    read(settings, kIsLinked, preferences.isLinked);
    const int seconds = settings.value(kAutosaveSeconds).toInt();  // 0 for nonsense
    if (seconds >= 1 && seconds <= kMostAutosaveSeconds)
        preferences.autosaveSeconds = seconds;
    read(settings, kOffersTour, preferences.offersTour);
    preferences.look = readLook(settings);
    return preferences;
}

void savePreferences(const Preferences& preferences, QSettings& settings)
{
    write(settings, kTheme, preferences.theme);
    settings.setValue(kDevice, QString::fromStdString(preferences.device));
    settings.setValue(kDType, QString::fromStdString(preferences.dtype));
    settings.setValue(kTf32, preferences.tf32);
    settings.setValue(kMapBudget, static_cast<qulonglong>(preferences.mapBudget));
    settings.setValue(kRunsAsYouType, preferences.runsAsYouType);
    settings.setValue(kIsLinked, preferences.isLinked);
    settings.setValue(kAutosaveSeconds, preferences.autosaveSeconds);
    settings.setValue(kOffersTour, preferences.offersTour);
    settings.setValue(kColourMap, preferences.look.colourMap);
    write(settings, kScale, preferences.look.scale);
    settings.setValue(kIsPerHead, preferences.look.isPerHead);
    settings.setValue(kHidesFirstToken, preferences.look.hidesFirstToken);
    write(settings, kLabelCorner, preferences.look.labelCorner);
}

}  // namespace hs::control
