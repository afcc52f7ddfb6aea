#include "app/array/array_parts.h"

#include "app/array/spread_command.h"
#include "app/support/output.h"
#include "app/support/part_file.h"
#include "app/support/prompt_file.h"
#include "base/failure.h"
#include "base/shell_words.h"

#include <unistd.h>

#include <cstdio>

namespace hs::app {
namespace {

Json stampOf(const ArrayPlan& plan, int part)
{
    return {{"plan", plan.identity()}, {"part", part}};
}

bool hasItsLines(const PartTable& table, const ArrayPlan& plan, int part)
{
    const Shard shard{part - 1, plan.parts};
    std::vector<int> expected;
    for (int line = 0; line < plan.inputs.lines; ++line)
        if (shard.has(line))
            expected.push_back(line);
    return linesOf(table) == expected;
}

/// Where a command writes before its part is known to be whole; several may work on a part. Removed in the end.
class Draft {
public:
    explicit Draft(const std::filesystem::path& part)
    {
        char host[256] = "";
        gethostname(host, sizeof host - 1);
        m_file = part.string() + "." + host + "-" + std::to_string(getpid()) + ".draft";
    }
    ~Draft() { std::remove(m_file.c_str()); }
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;

    const std::string& file() const { return m_file; }

private:
    std::string m_file;
};

}  // namespace

std::string flawOf(const ArrayPlan& plan, int part)
{
    const std::string file = plan.partFile(part).string();
    if (!std::filesystem::exists(file))
        return "is not there";
    const Result<std::string> flaw = guarded([&]() -> std::string {
        const Json json = readPartJson(file);
        if (!json.is_object() || json.value("array", Json()) != stampOf(plan, part))
            return "is of another array";
        return hasItsLines(partTableFrom(json, file), plan, part) ? "" : "lacks some of its prompts";
    });
    return flaw ? *flaw : flaw.error().message;
}

std::vector<int> missingParts(const ArrayPlan& plan)
{
    std::vector<int> missing;
    for (int part = 1; part <= plan.parts; ++part)
        if (!flawOf(plan, part).empty())
            missing.push_back(part);
    return missing;
}

void runPart(const ArrayPlan& plan, int part)
{
    if (part > plan.parts)
        fail(ErrorCode::BadRequest, "There is no part " + std::to_string(part) + " of " +
                                        std::to_string(plan.parts) + "; count from 1.");
    if (flawOf(plan, part).empty())
        return;
    requireUnchanged(plan);
    const Draft draft(plan.partFile(part));
    std::vector<std::string> words = plan.command;
    words.insert(words.end(), {"--shard", std::to_string(part) + "/" + std::to_string(plan.parts), "--json",
                               draft.file()});
    try {
        SpreadCommand(std::move(words)).run();
    } catch (const LeftOut&) {
        // The part is done all the same; what is left out of the whole is said where it is joined.
    }
    Json json = readPartJson(draft.file());
    if (!hasItsLines(partTableFrom(json, draft.file()), plan, part))
        fail(ErrorCode::Internal, "Part " + std::to_string(part) +
                                      " lacks some of its prompts; go on with headscope array --resume.");
    json["array"] = stampOf(plan, part);
    writeOutput(plan.partFile(part).string(), json);
}

void mergeParts(const ArrayPlan& plan)
{
    if (const std::vector<int> missing = missingParts(plan); !missing.empty())
        fail(ErrorCode::NotFound,
             "Missing: " + std::string(missing.size() == 1 ? "part " : "parts ") + rangesOf(missing) +
                 " of " + std::to_string(plan.parts) + "; read why in " + (plan.folder / "logs").string() +
                 " and go on with " +
                 shellLine({"headscope", "array", "--resume", "--folder", plan.folder.string()}) + ".");
    std::vector<PartTable> parts;
    for (int part = 1; part <= plan.parts; ++part) {
        const std::string file = plan.partFile(part).string();
        parts.push_back(partTableFrom(readPartJson(file), file));
    }
    writeSet(mergedParts(std::move(parts)), plan.files);
}

std::string rangesOf(const std::vector<int>& numbers)
{
    std::string ranges;
    for (std::size_t first = 0, last = 0; first < numbers.size(); first = last + 1) {
        last = first;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
            ++last;
        ranges += (ranges.empty() ? "" : ",") + std::to_string(numbers[first]);
        if (last > first)
            ranges += "-" + std::to_string(numbers[last]);
    }
    return ranges;
}

}  // namespace hs::app
