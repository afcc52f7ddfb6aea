#include "app/array/array_plan.h"

#include "app/array/spread_command.h"
#include "app/support/output.h"
#include "base/content_hash.h"
#include "base/failure.h"
#include "base/json_reader.h"
#include "base/text_format.h"
#include "model/adapter/adapter_files.h"
#include "model/fingerprint.h"
#include "train/named_prompts.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <span>

namespace hs::app {
namespace {

constexpr int kPlanVersion = 1;
constexpr int kMostParts = 1'000'000;
constexpr const char* kOutputs[] = {"--json", "--csv", "--npz"};

std::filesystem::path planFile(const std::filesystem::path& folder)
{
    return folder / "plan.json";
}

/// The words without options that name where the result goes, since each part has its own place.
std::vector<std::string> withoutOutputs(const std::vector<std::string>& words)
{
    std::vector<std::string> left;
    for (std::size_t index = 0; index < words.size(); ++index) {
        const auto isOutput = [&](const char* option) { return words[index] == option; };
        const auto hasOutput = [&](const char* option) {
            return words[index].starts_with(std::string(option) + "=");
        };
        if (std::ranges::any_of(kOutputs, isOutput))
            ++index;  // and its value
        else if (std::ranges::none_of(kOutputs, hasOutput))
            left.push_back(words[index]);
    }
    return left;
}

ArrayInputs inputsOf(const SpreadCommand& command)
{
    ArrayInputs inputs{
        command.lineCount(), train::contentHashOf(command.value(command.fileOption())), {}, 0, HS_VERSION};
    for (const char* const option : {"--model", "--dense", "--sparse"}) {
        if (command.value(option).empty())
            continue;
        const model::ModelFiles files = orThrow(model::locateModelBehind(command.value(option)));
        inputs.models.push_back(model::fingerprintOf(files));
        for (const std::filesystem::path& weights : files.weights)
            inputs.weightBytes += std::filesystem::file_size(weights);
    }
    return inputs;
}

std::vector<std::string> textsFrom(const JsonReader& list)
{
    std::vector<std::string> texts;
    for (const JsonReader& item : list.items())
        texts.push_back(item.text());
    return texts;
}

}  // namespace

std::string ArrayPlan::identity() const
{
    const std::string text =
        Json({command, parts, inputs.lines, inputs.prompts, inputs.models, inputs.version}).dump();
    ContentHash hash;
    hash.add(std::as_bytes(std::span(text)));
    return hash.text();
}

std::filesystem::path ArrayPlan::partFile(int part) const
{
    char name[48];
    std::snprintf(name, sizeof name, "%03d-of-%03d.json", part, parts);
    return folder / "parts" / name;
}

ArrayPlan planArray(const std::filesystem::path& folder, const std::vector<std::string>& words, int parts)
{
    const SpreadCommand command(words);
    const std::string option = command.fileOption();
    ArrayPlan plan;
    plan.folder = std::filesystem::absolute(folder);
    plan.directory = std::filesystem::current_path().string();
    plan.command = withoutOutputs(words);
    plan.files = {command.value("--json"), command.value("--csv"), command.value("--npz")};
    plan.parts = parts;
    if (!command.value("--shard").empty())
        fail(ErrorCode::BadRequest, "Each part gets its own --shard from array; leave it out.");
    if (command.value(option).empty())
        fail(ErrorCode::BadRequest,
             "An array needs many prompts to spread; give a file of them with " + option + ".");
    const OutputFiles& files = plan.files;
    if ((files.json.empty() && files.csv.empty() && files.npz.empty()) || files.json == "-" ||
        files.csv == "-")
        fail(ErrorCode::BadRequest,
             "The parts are joined at the end, in a file; name it with --json, --csv or --npz "
             "after the command.");
    plan.inputs = inputsOf(command);
    if (parts > plan.inputs.lines)
        fail(ErrorCode::BadRequest,
             command.value(option) + " has " + formatCount(plan.inputs.lines) +
                 " prompts, fewer than there are parts; give at most as many --parts.");
    return plan;
}

void requireUnchanged(const ArrayPlan& plan)
{
    const ArrayInputs now = inputsOf(SpreadCommand(plan.command));
    const std::string remedy =
        ", and its parts would not fit together; start anew with another --folder, or undo the change.";
    const auto refuse = [&](const std::string& what) {
        fail(ErrorCode::BadRequest, what + " since " + plan.folder.string() + " was planned" + remedy);
    };
    if (now.lines != plan.inputs.lines || now.prompts != plan.inputs.prompts)
        refuse("The file of prompts has changed");
    if (now.models != plan.inputs.models)
        refuse("The model has changed");
    if (now.version != plan.inputs.version)
        refuse("The program went from version " + plan.inputs.version + " to " + now.version);
}

bool hasPlan(const std::filesystem::path& folder)
{
    return std::filesystem::exists(planFile(folder));
}

ArrayPlan readPlan(const std::filesystem::path& folder)
{
    if (!hasPlan(folder))
        fail(ErrorCode::NotFound, folder.string() + " holds no array; name its folder with --folder.");
    const std::string file = planFile(folder).string();
    const Json json = readJsonFile(file);
    const JsonReader reader(json, file, "start the array anew in another --folder");
    if (reader["array"].json() != kPlanVersion)
        fail(ErrorCode::BadFile, file + " was written by another version; start the array anew.");
    ArrayPlan plan;
    plan.folder = std::filesystem::absolute(folder);
    plan.directory = reader["directory"].text();
    plan.command = textsFrom(reader["command"]);
    plan.files = {reader["json"].text(), reader["csv"].text(), reader["npz"].text("")};
    plan.parts = reader["parts"].integer(1, kMostParts);
    plan.inputs.lines = reader["lines"].integer(1, std::numeric_limits<int>::max());
    plan.inputs.prompts = reader["prompts"].text();
    plan.inputs.models = textsFrom(reader["models"]);
    plan.inputs.weightBytes = static_cast<std::uint64_t>(reader["weight_bytes"].number(0, 1e15));
    plan.inputs.version = reader["version"].text();
    plan.scheduler = reader["scheduler"].word<Scheduler>();
    plan.sbatch = textsFrom(reader["sbatch"]);
    plan.jobs = reader["jobs"].integer(0, kMostParts);
    plan.retries = reader["retries"].integer(0, kMostParts);
    return plan;
}

void writePlan(const ArrayPlan& plan)
{
    writeOutput(planFile(plan.folder).string(), Json{{"array", kPlanVersion},
                                                     {"directory", plan.directory},
                                                     {"command", plan.command},
                                                     {"json", plan.files.json},
                                                     {"csv", plan.files.csv},
                                                     {"npz", plan.files.npz},
                                                     {"parts", plan.parts},
                                                     {"lines", plan.inputs.lines},
                                                     {"prompts", plan.inputs.prompts},
                                                     {"models", plan.inputs.models},
                                                     {"weight_bytes", plan.inputs.weightBytes},
                                                     {"version", plan.inputs.version},
                                                     {"scheduler", wordOf(plan.scheduler)},
                                                     {"sbatch", plan.sbatch},
                                                     {"jobs", plan.jobs},
                                                     {"retries", plan.retries}});
}

}  // namespace hs::app
