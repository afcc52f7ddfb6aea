#include "prompt_file.h"

#include "base/failure.h"
#include "base/json.h"

#include <charconv>
#include <filesystem>
#include <fstream>

namespace hs {
namespace {

std::optional<std::string> textField(const Json& line, const char* key, const std::string& where)
{
    const auto found = line.find(key);
    if (found == line.end() || found->is_null())
        return std::nullopt;
    if (!found->is_string() || found->get<std::string>().empty())
        fail(ErrorCode::BadFile, where + " has a \"" + key + "\" that is no text; put it in quotes.");
    return found->get<std::string>();
}

std::string neededField(const Json& line, const char* key, const std::string& where)
{
    const std::optional<std::string> text = textField(line, key, where);
    if (!text)
        fail(ErrorCode::BadFile,
             where + " lacks \"" + key + "\"; write {\"text\": …, \"target\": …} on each line.");
    return *text;
}

}  // namespace

std::vector<PromptLine> readPromptFile(const std::string& file)
{
    std::ifstream stream(file, std::ios::binary);
    if (!stream || std::filesystem::is_directory(file))
        fail(ErrorCode::NotFound, "Cannot read " + file + "; check the path.");
    std::vector<PromptLine> prompts;
    std::string text;
    for (int number = 1; std::getline(stream, text); ++number) {
        if (text.find_first_not_of(" \t\r") == std::string::npos)
            continue;
        const std::string where = "Line " + std::to_string(number) + " of " + file;
        const Json line = parseJson(text, where);
        if (!line.is_object())
            fail(ErrorCode::BadFile,
                 where + " is no JSON object; write {\"text\": …, \"target\": …} on each line.");
        prompts.push_back({static_cast<int>(prompts.size()), neededField(line, "text", where),
                           neededField(line, "target", where), textField(line, "versus", where),
                           textField(line, "source", where)});
    }
    if (prompts.empty())
        fail(ErrorCode::BadFile,
             file + " holds no prompts; write {\"text\": …, \"target\": …} on each line.");
    return prompts;
}

Shard parseShard(const std::string& text)
{
    Shard shard;
    int number = 0;
    const char* const end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, number);
    if (first.ec == std::errc() && first.ptr != end && *first.ptr == '/') {
        const auto second = std::from_chars(first.ptr + 1, end, shard.count);
        shard.index = number - 1;
        if (second.ec == std::errc() && second.ptr == end && number >= 1 && number <= shard.count)
            return shard;
    }
    fail(ErrorCode::BadRequest, "\"" + text + "\" is no shard; write 1/4 for the first of four.");
}

}  // namespace hs
