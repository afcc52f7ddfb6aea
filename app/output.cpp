#include "output.h"

#include "base/atomic_file.h"
#include "base/failure.h"

#include <cmath>
#include <iostream>

namespace hs {

void writeOutput(const std::string& file, const std::string& content)
{
    if (file.empty() || file == "-") {
        if (!(std::cout << content << std::flush))
            fail(ErrorCode::BadFile, "Standard output cannot be written to; check where it goes.");
        return;
    }
    writeFile(file, content);
}

void writeOutput(const std::string& file, const Json& json)
{
    writeOutput(file, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

Json numberOrNull(double value)
{
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

}  // namespace hs
