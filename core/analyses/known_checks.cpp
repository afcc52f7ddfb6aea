#include "analyses/known_checks.h"

#include "base/atomic_file.h"
#include "base/failure.h"
#include "base/json_reader.h"

namespace hs::analyses {
namespace {

constexpr std::size_t kMostKnown = 10'000;
constexpr std::uintmax_t kLargestFile = std::uintmax_t{4} << 20;

std::filesystem::path fileOf(const model::Environment& environment)
{
    return environment.ownData() / "checks.json";
}

std::string keyOf(const std::string& fingerprint, const std::string& precision)
{
    return fingerprint + ' ' + precision;
}

Json readAll(const model::Environment& environment)
{
    const Result<Json> all = guarded([&] { return readJsonFile(fileOf(environment), kLargestFile); });
    return all && all->is_object() ? *all : Json::object();
}

}  // namespace

Result<std::filesystem::path> rememberCheck(const model::Environment& environment,
                                            const std::string& fingerprint, const std::string& precision,
                                            const KnownCheck& check)
{
    return guarded([&] {
        Json all = readAll(environment);
        if (all.size() >= kMostKnown)
            all.clear();
        all[keyOf(fingerprint, precision)] = {{"reference", check.reference},
                                              {"difference", check.difference}};
        const std::filesystem::path file = fileOf(environment);
        std::filesystem::create_directories(file.parent_path());
        writeFile(file, all.dump(1, ' ', false, Json::error_handler_t::replace) + '\n');
        return file;
    });
}

std::optional<KnownCheck> knownCheck(const model::Environment& environment, const std::string& fingerprint,
                                     const std::string& precision)
{
    const Json all = readAll(environment);
    const auto found = all.find(keyOf(fingerprint, precision));
    if (found == all.end())
        return std::nullopt;
    const Result<KnownCheck> check = guarded([&] {
        const JsonReader reader(*found, "checks.json", "delete it");
        return KnownCheck{reader["reference"].text(), reader["difference"].number(0, 1)};
    });
    return check ? std::optional(*check) : std::nullopt;
}

}  // namespace hs::analyses
