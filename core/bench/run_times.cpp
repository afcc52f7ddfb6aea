#include "bench/run_times.h"

#include "base/text_format.h"
#include "base/timing.h"

namespace hs::bench {

std::string describe(const std::vector<engine::RunTimes>& runs)
{
    using engine::RunTimes;
    std::string text;
    const auto add = [&](double RunTimes::* part, const char* name) {
        std::vector<double> values;
        for (const RunTimes& times : runs)
            values.push_back(times.*part);
        text += (text.empty() ? "" : ", ") + shortNumber(median(values)) + " " + name;
    };
    add(&RunTimes::preparing, "preparing");
    add(&RunTimes::layers, "layers");
    add(&RunTimes::summaries, "summaries");
    add(&RunTimes::loss, "loss");
    add(&RunTimes::predictions, "predictions");
    return text;
}

}  // namespace hs::bench
