#include "window/preferences_dialog.h"

#include "support/catch.h"

#include <QCheckBox>

using namespace hs;

TEST_CASE("rounding float32 to TF32 is off until it is ticked")
{
    window::PreferencesDialog dialog{control::Preferences()};
    QCheckBox* box = nullptr;
    for (QCheckBox* const candidate : dialog.findChildren<QCheckBox*>())
        if (candidate->text().contains(QStringLiteral("TF32")))
            box = candidate;
    REQUIRE(box);
    CHECK_FALSE(box->isChecked());
    CHECK_FALSE(dialog.preferences().tf32);
    box->setChecked(true);
    CHECK(dialog.preferences().tf32);
    CHECK(window::PreferencesDialog(dialog.preferences()).preferences().tf32);
}
