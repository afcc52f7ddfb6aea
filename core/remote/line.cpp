#include "remote/line.h"

#include "base/failure.h"
#include "base/text_format.h"
#include "remote/state_folder.h"

namespace hs::remote {

Error Line::ending(const std::string& heard)
{
    close();
    if (!heard.empty())
        return {ErrorCode::BadFile, answeredInstead(m_host, heard), heard};
    return {ErrorCode::NotFound, "The line to " + m_host + " was closed; connect again.", {}};
}

std::unique_ptr<Line> openSocketLine(const std::filesystem::path& socket)
{
    Descriptor handle = connectTo(socket);
    if (!handle)
        fail(ErrorCode::NotFound,
             "No engine listens at " + socket.string() + "; start one with headscope serve.");
    return std::make_unique<Line>("this machine", std::move(handle));
}

std::string answeredInstead(const std::string& host, const std::string& heard)
{
    std::string words;
    for (const char letter : heard) {
        const bool isBlank = static_cast<unsigned char>(letter) <= ' ' || letter == 0x7f;
        if (!isBlank)
            words += letter;
        else if (!words.empty() && words.back() != ' ')
            words += ' ';
    }
    if (words.ends_with(' '))
        words.pop_back();
    return host + " answered: \"" + shortened(words, 300) +
           "\"; check what its login shell prints and that headscope serve --stdio runs there.";
}

}  // namespace hs::remote
