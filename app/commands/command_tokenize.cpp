#include "app/support/commands.h"

#include "app/support/output.h"
#include "app/support/workspace.h"
#include "base/failure.h"
#include "text/token_ids.h"

#include <memory>

namespace hs::app {
namespace {

struct TokenizeArguments {
    std::string model;
    PromptArguments prompt;
    std::string decode;
    std::string json;
};

void run(const TokenizeArguments& arguments)
{
    const std::shared_ptr<const text::Tokenizer> tokenizer = openTokenizer(arguments.model);
    if (!arguments.decode.empty() || !arguments.prompt.tokens.empty()) {
        const std::vector<std::int64_t> ids = orThrow(
            text::parseTokenIds(arguments.decode.empty() ? arguments.prompt.tokens : arguments.decode));
        const std::string text = orThrow(tokenizer->decode(ids));
        if (arguments.json.empty())
            writeOutput("-", text);
        else
            writeOutput(arguments.json, Json{{"ids", ids}, {"text", text}});
        return;
    }
    if (!arguments.prompt.isGiven())
        fail(ErrorCode::BadRequest,
             "There is nothing to tokenize; give --text, --text-file, --chat or --decode.");
    Json ids = Json::array();
    Json texts = Json::array();
    Json offsets = Json::array();
    Json roles = Json::array();
    for (const text::Token& token : readPrompt(arguments.prompt, *tokenizer)) {
        ids.push_back(token.id);
        texts.push_back(token.text);
        offsets.push_back({token.begin, token.end});
        roles.push_back(wordOf(token.role));
    }
    Json tokens = {{"ids", ids}, {"texts", texts}, {"offsets", offsets}};
    if (arguments.prompt.isChat())
        tokens["roles"] = std::move(roles);
    writeOutput(arguments.json, tokens);
}

}  // namespace

void addTokenizeCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<TokenizeArguments>();
    CLI::App& command = *app.add_subcommand("tokenize", "Show the tokens of a text, or the text of tokens");
    command.add_option("--model", arguments->model, "A model as for run, or a folder with a tokenizer alone")
        ->required()
        ->type_name("DIR");
    addPromptOptions(command, arguments->prompt);
    command.add_option("--decode", arguments->decode, "Token ids to turn into text: 1,2,3")->type_name("IDS");
    command.add_option("--json", arguments->json, "Where the JSON goes; - is standard output")
        ->type_name("F");
    command.callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace hs::app
