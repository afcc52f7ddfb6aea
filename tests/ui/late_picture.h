#pragma once

#include "control/work/late_work.h"
#include "support/catch.h"

#include <QTest>
#include <QWidget>

namespace hs::test {

/// What is seen of a widget once everything that is painted on other threads is there.
inline QImage pictureOf(QWidget& widget)
{
    widget.grab();  // asks for it
    REQUIRE(QTest::qWaitFor([&] { return control::LateWork::isDoneIn(widget); }));
    return widget.grab().toImage();
}

}  // namespace hs::test
