#include "app/support/output.h"

#include "base/atomic_file.h"
#include "base/failure.h"

#include <filesystem>
#include <iostream>

namespace hs::app {

void writeOutput(const std::string& file, const std::string& content)
{
    if (file.empty() || file == "-") {
        if (!(std::cout << content << std::flush))
            fail(ErrorCode::BadFile, "Standard output cannot be written to; check where it goes.");
        return;
    }
    writeFile(file, content);
}

void requireWritable(const std::string& file)
{
    if (file.empty() || file == "-")
        return;
    const std::filesystem::file_status status = std::filesystem::status(file);
    if (std::filesystem::is_directory(status))
        fail(ErrorCode::BadRequest, file + " is a folder; name a file in it.");
    // Who reads from a pipe would take the end of a first try for the end of the data.
    if (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status))
        AtomicFile::create(file);  // discarded at once
}

void writeOutput(const std::string& file, const Json& json)
{
    writeOutput(file, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace hs::app
