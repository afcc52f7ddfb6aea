#include "app/shell/shell_texts.h"

#include "support/catch.h"
#include "support/temp_dir.h"

#include <array>
#include <cstdio>
#include <memory>

using namespace hs;

namespace {

app::OptionFacts option(const std::string& name, const std::string& value,
                        std::vector<std::string> choices = {})
{
    app::OptionFacts facts;
    facts.names = {name};
    facts.meaning = "It's [one]: of \\ many";
    facts.value = value;
    facts.choices = std::move(choices);
    facts.isPositional = !name.starts_with("-");
    return facts;
}

/// A program with options for every kind of value.
app::ProgramFacts sampleProgram()
{
    app::OptionFacts help = option("--help", "");
    help.names = {"-h", "--help"};
    app::CommandFacts paint{"paint",
                            "Paints: what it's told",
                            {option("--colour", "TEXT", {"red", "blue"}), option("--model", "DIR"),
                             option("--into", "DIR"), option("--picture", "F"), option("--count", "N"), help},
                            ""};
    app::CommandFacts join{"join", "Joins", {option("parts", "F"), help}, ""};
    return {{"", "", {option("--dense", "DIR"), help}, ""}, {paint, join}};
}

bool has(const std::string& script, const std::string& words)
{
    return script.find(words) != std::string::npos;
}

/// What bash offers for these words, the last of which is being typed, in a folder with one.txt.
std::string bashOffers(const std::string& words, int count)
{
    const test::TempDir folder;
    folder.write("one.txt", "");
    folder.write("completion", app::bashCompletion(sampleProgram()));
    const std::string line =
        "cd " + folder.path().string() + " && bash -c '. ./completion; COMP_WORDS=(headscope " + words +
        "); COMP_CWORD=" + std::to_string(count) + "; _headscope; echo \"${COMPREPLY[@]}\"' 2>&1";
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(line.c_str(), "r"), pclose);
    REQUIRE(pipe);
    std::string offers;
    std::array<char, 256> part;
    while (std::fgets(part.data(), part.size(), pipe.get()))
        offers += part.data();
    return offers;
}

}  // namespace

TEST_CASE("what a shell offers for a value follows from choices, then the option's name, then what it takes")
{
    using Values = app::OptionFacts::Values;
    CHECK(option("--model", "DIR", {"a", "b"}).values() == Values::Choices);
    CHECK(option("--model", "DIR").values() == Values::Models);
    CHECK(option("--sparse", "DIR").values() == Values::Models);
    CHECK(option("--out", "DIR").values() == Values::Folders);
    CHECK(option("--json", "F").values() == Values::Files);
    CHECK(option("--config", "FILE").values() == Values::Files);
    CHECK(option("--text", "S").values() == Values::Anything);
}

TEST_CASE("bash offers commands, options, choices and files where each belongs")
{
    CHECK(bashOffers("pa", 1) == "paint\n");
    CHECK(bashOffers("paint --c", 2) == "--colour --count\n");
    CHECK(bashOffers("paint --colour \"\"", 3) == "red blue\n");
    CHECK(bashOffers("paint --colour r", 3) == "red\n");
    CHECK(bashOffers("paint --picture on", 3) == "one.txt\n");
    CHECK(bashOffers("paint --into on", 3) == "\n");  // a file is not a folder
    CHECK(bashOffers("paint --model de", 3) == "demo:dense demo:sparse\n");
    CHECK(bashOffers("paint --count on", 3) == "\n");
    CHECK(bashOffers("join on", 2) == "one.txt\n");
    CHECK(bashOffers("--d", 1) == "--dense\n");
}

TEST_CASE("zsh gets a description of each command and option, with what it would take for marks escaped")
{
    const std::string script = app::zshCompletion(sampleProgram());
    CHECK(script.starts_with("#compdef headscope\n"));
    CHECK(has(script, R"('paint:Paints\: what it'\''s told')"));
    CHECK(has(script, R"('--colour[It'\''s \[one\]\: of \\ many]:TEXT:(red blue)')"));
    CHECK(has(script, ":DIR:_headscope_models'"));
    CHECK(has(script, ":DIR:_files -/'"));
    CHECK(has(script, ":F:_files'"));
    CHECK(has(script, ":N: '"));
    CHECK(has(script, R"('-h[It'\''s \[one\]\: of \\ many]')"));
    CHECK(has(script, "'*:F:_files'"));
}

TEST_CASE("fish gets a line an option under the command it belongs to, with quotes escaped")
{
    const std::string script = app::fishCompletion(sampleProgram());
    CHECK(has(script, R"(-n __fish_use_subcommand -a paint -d 'Paints: what it\'s told')"));
    const std::string paint = "complete -c headscope -n '__fish_seen_subcommand_from paint'";
    const std::string meaning = R"( -d 'It\'s [one]: of \\ many')";
    CHECK(has(script, paint + " -l colour -x -a 'red blue'" + meaning + "\n"));
    CHECK(has(script, paint + " -l model -r -F -a 'demo:dense demo:sparse'" + meaning));
    CHECK(has(script, paint + " -l into -x -a '(__fish_complete_directories)'" + meaning));
    CHECK(has(script, paint + " -l picture -r -F" + meaning));
    CHECK(has(script, paint + " -l count -x" + meaning));
    CHECK(has(script, paint + " -s h -l help" + meaning));
    CHECK(has(script, "complete -c headscope -n '__fish_seen_subcommand_from join' -F\n"));
    CHECK(has(script, "complete -c headscope -n '__fish_use_subcommand' -l dense"));
}
