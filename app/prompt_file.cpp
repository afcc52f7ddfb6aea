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

/// A line of a file of questions, and how such lines are written.
struct Line {
    Json json;
    std::string where;
    const char* form;
};

std::string neededField(const Line& line, const char* key)
{
    const std::optional<std::string> text = textField(line.json, key, line.where);
    if (!text)
        fail(ErrorCode::BadFile,
             line.where + " lacks \"" + key + "\"; write " + line.form + " on each line.");
    return *text;
}

/// The lines that are not empty.
std::vector<Line> readLines(const std::string& file, const char* form)
{
    std::ifstream stream(file, std::ios::binary);
    if (!stream || std::filesystem::is_directory(file))
        fail(ErrorCode::NotFound, "Cannot read " + file + "; check the path.");
    std::vector<Line> lines;
    std::string text;
    for (int number = 1; std::getline(stream, text); ++number) {
        if (text.find_first_not_of(" \t\r") == std::string::npos)
            continue;
        const std::string where = "Line " + std::to_string(number) + " of " + file;
        lines.push_back({parseJson(text, where), where, form});
        if (!lines.back().json.is_object())
            fail(ErrorCode::BadFile, where + " is no JSON object; write " + form + " on each line.");
    }
    if (lines.empty())
        fail(ErrorCode::BadFile, file + " holds no prompts; write " + form + " on each line.");
    return lines;
}

}  // namespace

std::vector<PromptLine> readPromptFile(const std::string& file)
{
    std::vector<PromptLine> prompts;
    for (const Line& line : readLines(file, "{\"text\": …, \"target\": …}"))
        prompts.push_back({static_cast<int>(prompts.size()), line.where, neededField(line, "text"),
                           neededField(line, "target"), textField(line.json, "versus", line.where),
                           textField(line.json, "source", line.where)});
    return prompts;
}

std::vector<PairLine> readPairFile(const std::string& file)
{
    std::vector<PairLine> pairs;
    for (const Line& line : readLines(file, "{\"clean\": …, \"corrupted\": …, \"target\": …, \"versus\": …}"))
        pairs.push_back({static_cast<int>(pairs.size()), line.where, neededField(line, "clean"),
                         neededField(line, line.json.contains("corrupt") ? "corrupt" : "corrupted"),
                         neededField(line, "target"), neededField(line, "versus")});
    return pairs;
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
