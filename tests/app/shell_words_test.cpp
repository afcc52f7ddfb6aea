#include "app/support/shell_words.h"

#include "support/catch.h"

using namespace hs;

TEST_CASE("a text between single quotes is one word, whatever is in it")
{
    CHECK(app::shellQuoted("") == "''");
    CHECK(app::shellQuoted("a $b \"c\"") == "'a $b \"c\"'");
    CHECK(app::shellQuoted("it's") == "'it'\\''s'");
}

TEST_CASE("a command line quotes the words that a shell would take for more")
{
    CHECK(app::shellLine({"sbatch", "--array=1-64%8", "/a b/job.sh", "", "$x"}) ==
          "sbatch --array=1-64%8 '/a b/job.sh' '' '$x'");
}
