// Catch2 version 2 declares its listeners only on request.
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include "support/catch.h"
#include "ui/timed_application.h"

#include <QHashSeed>

#include <memory>

namespace {

#if __has_include(<catch2/catch_all.hpp>)
using ListenerBase = Catch::EventListenerBase;
#else
using ListenerBase = Catch::TestEventListenerBase;
#endif

/// Fonts and widgets need an application object; tests need no screen, and the same order of everything
/// in every run.
class ApplicationListener : public ListenerBase {
public:
    using ListenerBase::ListenerBase;

    void testRunStarting(const Catch::TestRunInfo&) override
    {
        QHashSeed::setDeterministicGlobalSeed();
        qputenv("QT_QPA_PLATFORM", "offscreen");
        m_application = std::make_unique<hs::test::TimedApplication>(m_argumentCount, m_arguments);
    }
    void testRunEnded(const Catch::TestRunStats&) override { m_application.reset(); }

private:
    int m_argumentCount = 1;
    char m_name[9] = "ui_tests";
    char* m_arguments[2] = {m_name, nullptr};
    std::unique_ptr<hs::test::TimedApplication> m_application;
};

CATCH_REGISTER_LISTENER(ApplicationListener)

}  // namespace
