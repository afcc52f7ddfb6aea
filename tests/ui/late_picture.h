#pragma once

#include "control/work/late_work.h"
#include "support/catch.h"

#include <QTest>
#include <QWidget>

namespace hs::test {

/// What a widget shows once everything painted on other threads has arrived.
inline QImage pictureOf(QWidget& widget)
{
    widget.grab();  // requests it
    REQUIRE(QTest::qWaitFor([&] { return control::LateWork::isDoneIn(widget); }));
    return widget.grab().toImage();
}

}  // namespace hs::test
