#include "app/support/prompt_file.h"

#include "base/failure.h"
#include "base/json_reader.h"

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace hs::app {
namespace {

/// A line of a file of questions.
struct Line {
    Json json;
    std::string where;
    std::string remedy;  // how to write such lines

    JsonReader operator[](const FieldName& name) const { return JsonReader(json, where, remedy)[name]; }
};

std::string textFrom(const JsonReader& field)
{
    std::string text = field.text();
    if (text.empty())
        field.refuse("a text with something in it");
    return text;
}

std::optional<std::string> optionalTextFrom(const JsonReader& field)
{
    return field ? std::optional(textFrom(field)) : std::nullopt;
}

/// The lines that are not empty.
std::vector<Line> readLines(const std::string& file, const std::string& form)
{
    const std::string remedy = "write " + form + " on each line";
    std::ifstream stream(file, std::ios::binary);
    if (!stream || std::filesystem::is_directory(file))
        fail(ErrorCode::NotFound, "Cannot read " + file + "; check the path.");
    std::vector<Line> lines;
    std::string text;
    for (int number = 1; std::getline(stream, text); ++number) {
        if (text.find_first_not_of(" \t\r") == std::string::npos)
            continue;
        const std::string where = "Line " + std::to_string(number) + " of " + file;
        lines.push_back({parseJson(text, where), where, remedy});
    }
    if (lines.empty())
        fail(ErrorCode::BadFile, file + " holds no prompts; " + remedy + ".");
    return lines;
}

/// "2/8" for the process whose rank, counted from 0, is 1 of 8.
std::string shardOfProcess()
{
    static constexpr const char* kVariables[][2] = {{"RANK", "WORLD_SIZE"}, {"SLURM_PROCID", "SLURM_NTASKS"}};
    for (const auto& [rank, count] : kVariables)
        if (std::getenv(rank) && std::getenv(count))
            return std::to_string(std::atol(std::getenv(rank)) + 1) + "/" + std::getenv(count);
    fail(ErrorCode::BadRequest, "This process has no rank to take a shard by: neither RANK and WORLD_SIZE "
                                "(torchrun) nor SLURM_PROCID and SLURM_NTASKS (srun) are set; write 1/4 for "
                                "the first of four.");
}

}  // namespace

std::vector<PromptLine> readPromptFile(const std::string& file)
{
    std::vector<PromptLine> prompts;
    for (const Line& line : readLines(file, "{\"text\": …, \"target\": …}"))
        prompts.push_back({static_cast<int>(prompts.size()), line.where, textFrom(line["text"]),
                           textFrom(line["target"]), optionalTextFrom(line["versus"]),
                           optionalTextFrom(line["source"])});
    return prompts;
}

std::vector<TextLine> readTextFile(const std::string& file)
{
    std::vector<TextLine> texts;
    for (const Line& line : readLines(file, "{\"text\": …}"))
        texts.push_back({static_cast<int>(texts.size()), line.where, textFrom(line["text"])});
    return texts;
}

std::vector<PairLine> readPairFile(const std::string& file)
{
    std::vector<PairLine> pairs;
    for (const Line& line : readLines(file, "{\"clean\": …, \"corrupted\": …, \"target\": …, \"versus\": …}"))
        pairs.push_back({static_cast<int>(pairs.size()), line.where, textFrom(line["clean"]),
                         textFrom(line[{"corrupted", "corrupt"}]), textFrom(line["target"]),
                         textFrom(line["versus"])});
    return pairs;
}

Shard parseShard(const std::string& text)
{
    if (text == "auto")
        return parseShard(shardOfProcess());
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

}  // namespace hs::app
