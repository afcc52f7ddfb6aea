#pragma once

#include "remote/handler.h"
#include "service/engine_backend.h"
#include "service/far_call.h"

#include <array>
#include <vector>

namespace hs::service {

/// Answers a FarBackend with this machine's engine.
class EngineHandler : public remote::Handler {
public:
    remote::Tree answer(const remote::Tree& request, const Hooks& hooks,
                        const std::function<void(remote::Tree)>& onPart) override;
    /// Lets go of the models; requests open them again.
    void rest() override;

private:
    struct Known {
        std::int64_t number = 0;
        std::shared_ptr<const SideResult> result;
    };

    remote::Tree open(const JsonReader& request, const Hooks& hooks);
    remote::Tree run(const JsonReader& request, const Hooks& hooks,
                     const std::function<void(remote::Tree)>& onPart);
    remote::Tree generate(const JsonReader& request, const Hooks& hooks,
                          const std::function<void(remote::Tree)>& onPart);
    remote::Tree maps(const JsonReader& request, const Hooks& hooks);
    remote::Tree pooled(const JsonReader& request, const Hooks& hooks);
    remote::Tree cells(const JsonReader& request, const Hooks& hooks);
    remote::Tree analyse(const JsonReader& request, const Hooks& hooks,
                         const std::function<void(remote::Tree)>& onPart);
    remote::Tree check(const JsonReader& request, const Hooks& hooks);
    /// Opens it unless it is open. Throws Failure.
    std::shared_ptr<const OpenModel> model(const OpenRequest& request, const Hooks& hooks);
    int tokenCount(Side side, const SideRequest& request, const Hooks& hooks);
    SideRequest sideOf(const JsonReader& request, const Hooks& hooks);

    std::unique_ptr<EngineBackend> m_backend = std::make_unique<EngineBackend>();
    std::vector<std::shared_ptr<const OpenModel>> m_models;
    std::array<Known, 2> m_known;  // [Side]
    std::int64_t m_lastNumber = 0;
};

}  // namespace hs::service
