#include "app/shell/shell_texts.h"

#include <algorithm>
#include <sstream>

namespace hs::app {
namespace {

constexpr const char* kStart = R"(.\" Written by: headscope manual
.TH HEADSCOPE 1 "" "HeadScope )" HS_VERSION R"(" "User Commands"
.SH NAME
headscope \- explorer for the attention heads of transformer language models
.SH SYNOPSIS
.B headscope
.RI [ OPTIONS ]
.RI [ SESSION.headscope ]
.br
.B headscope
.I COMMAND
.RI [ OPTIONS ]
.SH DESCRIPTION
Without a command, a window opens in which two models stand side by side, every attention head a small
picture. A click on a head switches it off and draws everything after it again. Help in the window opens
the guide.
.PP
The commands do the same work without a display. Data goes to standard output or to the file named, words
go to standard error.
.PP
A model is a folder in Hugging Face layout, any file in it, a GPT\-2 state dict, the
.I org/name
of one in the download cache, or
.B demo:dense
and
.BR demo:sparse ,
the pair that comes with the program. Nothing is downloaded, and no code in a model file ever runs. Heads
are written
.BR L3H7 ;
.B L3H*
is a layer,
.B L3KV0
a key/value group.
)";

constexpr const char* kEnd = R"(.SH EXIT STATUS
.TP
.B 0
Done.
.TP
.B 1
Something failed; a sentence on standard error says what, and what helps.
.TP
.B 2
The command line was not understood.
.SH FILES
.TP
.I ~/.config/HeadScope/HeadScope.conf
Preferences and recent models.
.TP
.I ~/.local/share/HeadScope/HeadScope/recovery
What was not saved when a window ended without being closed.
.SH ENVIRONMENT
.TP
.BR HF_HUB_CACHE ", " HF_HOME
Where models of the Hugging Face hub were downloaded to.
.TP
.BR LLAMA_CACHE ", " OLLAMA_MODELS
Where llama.cpp and Ollama keep GGUF files.
.TP
.B OMP_NUM_THREADS
How many processor cores a run may use.
.SH EXAMPLES
What the demo's dense model predicts, and what it predicts without one of its heads:
.PP
.nf
.RS
headscope run \-\-model demo:dense \-\-text "When Mary and John went to the store ,"
headscope run \-\-model demo:dense \-\-text "When Mary and John went to the store ," \-\-ablate L5H1
.RE
.fi
.PP
All heads of both models as a figure:
.PP
.nf
.RS
headscope figure \-\-preset head\-grid \-\-out heads.pdf
.RE
.fi
)";

/// Escapes text so that man takes none of it for a request or a special character.
std::string plain(const std::string& text)
{
    std::string result;
    for (const char letter : text) {
        if (letter == '\\')
            result += "\\e";
        else if (letter == '-')
            result += "\\-";
        else if ((letter == '.' || letter == '\'') && (result.empty() || result.back() == '\n'))
            result += std::string("\\&") + letter;
        else
            result += letter;
    }
    return result;
}

std::string inParagraphs(const std::string& text)
{
    std::istringstream lines(text);
    std::string paragraphs;
    for (std::string line; std::getline(lines, line);)
        paragraphs += line.empty() ? ".PP\n" : plain(line) + "\n";
    return paragraphs;
}

std::string entryOf(const OptionFacts& option)
{
    std::string entry = ".TP\n";
    entry += "\\fB" + plain(joined(option.names, ", ")) + "\\fR";
    if (!option.value.empty())
        entry += " \\fI" + plain(option.value) + "\\fR";
    entry += "\n" + plain(option.meaning);
    if (option.isRequired)
        entry += "; required";
    if (!option.namesItsChoices())
        entry += "; one of " + plain(joined(option.choices, ", "));
    if (!option.byDefault.empty())
        entry += "; by default " + plain(option.byDefault);
    return entry + ".\n";
}

std::string entriesOf(const CommandFacts& command)
{
    std::string entries;
    for (const OptionFacts& option : command.options)
        entries += entryOf(option);
    return entries;
}

}  // namespace

std::string manualPage(const ProgramFacts& program)
{
    std::string page = kStart;
    page += ".SH OPTIONS OF THE WINDOW\n" + entriesOf(program.window) + ".SH COMMANDS\n";
    for (const CommandFacts& command : program.commands) {
        page += ".SS headscope " + plain(command.name) + "\n" + plain(command.meaning) + ".\n";
        page += entriesOf(command);
        if (!command.notes.empty())
            page += ".PP\n" + inParagraphs(command.notes);
    }
    return page + kEnd;
}

}  // namespace hs::app
