#pragma once

#include "program.h"

#include <sys/types.h>

#include <string>
#include <vector>

namespace hs::test {

/// A running call of the built program; its standard error is read as it comes. Killed if a test leaves
/// it running.
class HeardProgram {
public:
    explicit HeardProgram(const std::vector<std::string>& arguments,
                          const std::vector<std::string>& variables = {});
    ~HeardProgram();
    HeardProgram(const HeardProgram&) = delete;
    HeardProgram& operator=(const HeardProgram&) = delete;

    /// Returns true once the program has printed this, false if it ends without.
    bool waitFor(const std::string& words);
    void send(int signal) const;
    /// Waits for its end; standard output is not kept.
    Outcome finish();

private:
    bool readMore();

    pid_t m_process = 0;
    int m_err = -1;
    std::string m_said;
};

}  // namespace hs::test
