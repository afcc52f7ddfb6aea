#include "train/workers/worker_place.h"

#include "support/catch.h"
#include "support/models.h"

using namespace hs;
using train::Variables;
using train::WorkerPlace;

namespace {

Variables torchrun()
{
    return {{"RANK", "3"},
            {"WORLD_SIZE", "4"},
            {"LOCAL_RANK", "1"},
            {"MASTER_ADDR", "gpu1"},
            {"MASTER_PORT", "29500"}};
}

Variables srun()
{
    return {{"SLURM_JOB_ID", "123456"},
            {"SLURM_STEP_ID", "0"},
            {"SLURM_PROCID", "3"},
            {"SLURM_NTASKS", "4"},
            {"SLURM_STEP_NUM_TASKS", "4"},
            {"SLURM_LOCALID", "1"},
            {"SLURM_STEP_NODELIST", "gpu[007-008]"},
            {"SLURM_JOB_NODELIST", "gpu[007-008,12]"}};
}

Variables with(Variables variables, const std::string& name, const std::string& value)
{
    variables[name] = value;
    return variables;
}

Variables without(Variables variables, const std::string& name)
{
    variables.erase(name);
    return variables;
}

std::string refusalOf(const Variables& variables)
{
    const Result<WorkerPlace> place = train::workerPlace(variables);
    REQUIRE_FALSE(place);
    CHECK(place.error().message.find("; start the workers with ") != std::string::npos);
    CHECK(place.error().message.ends_with("to work alone."));
    return place.error().message;
}

bool says(const std::string& sentence, const std::string& words)
{
    INFO(sentence);
    return sentence.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("a worker's place is what torchrun or Slurm says, torchrun first")
{
    const WorkerPlace place = {3, 4, 1, "gpu1", 29500};
    CHECK(test::value(train::workerPlace(torchrun())) == place);
    Variables both = srun();
    both.merge(torchrun());
    CHECK(test::value(train::workerPlace(both)) == place);

    const WorkerPlace step = {3, 4, 1, "gpu007", 13456};
    CHECK(test::value(train::workerPlace(srun())) == step);
    CHECK(test::value(train::workerPlace(without(srun(), "SLURM_STEP_NUM_TASKS"))) == step);
    CHECK(test::value(train::workerPlace(without(srun(), "SLURM_STEP_NODELIST"))) == step);
    const WorkerPlace told = {3, 4, 1, "head", 4000};
    CHECK(test::value(train::workerPlace(with(with(srun(), "MASTER_ADDR", "head"), "MASTER_PORT", "4000"))) ==
          told);
}

TEST_CASE("workers of two steps of a job meet at two ports")
{
    CHECK(test::value(train::workerPlace(srun())).port !=
          test::value(train::workerPlace(with(srun(), "SLURM_STEP_ID", "1"))).port);
}

TEST_CASE("workers keep clear of the port that torchrun itself serves")
{
    const Variables agent = with(torchrun(), "TORCHELASTIC_USE_AGENT_STORE", "True");
    CHECK(test::value(train::workerPlace(agent)).port == 29501);
    CHECK(test::value(train::workerPlace(with(agent, "MASTER_PORT", "65535"))).port == 65534);
    CHECK(test::value(train::workerPlace(with(agent, "TORCHELASTIC_USE_AGENT_STORE", "False"))).port ==
          29500);
}

TEST_CASE("a process that nobody started as one of several works alone")
{
    CHECK(test::value(train::workerPlace({})) == WorkerPlace());
    CHECK(test::value(train::workerPlace({{"MASTER_ADDR", "gpu1"}, {"MASTER_PORT", "1"}})).isAlone());
    // A shell in an allocation; a batch script, which Slurm gives a rank; a step of one task.
    const Variables shell = {{"SLURM_JOB_ID", "7"}, {"SLURM_NTASKS", "4"}, {"SLURM_JOB_NODELIST", "a[1-4]"}};
    CHECK(test::value(train::workerPlace(shell)).isAlone());
    CHECK(test::value(train::workerPlace(with(shell, "SLURM_PROCID", "0"))).isAlone());
    Variables single = with(srun(), "SLURM_STEP_NUM_TASKS", "1");
    single["SLURM_PROCID"] = single["SLURM_LOCALID"] = "0";
    CHECK(test::value(train::workerPlace(single)).isAlone());
}

TEST_CASE("one worker that torchrun started is a group of one")
{
    const WorkerPlace place = test::value(
        train::workerPlace(with(with(with(torchrun(), "WORLD_SIZE", "1"), "RANK", "0"), "LOCAL_RANK", "0")));
    CHECK(place.count == 1);
    CHECK_FALSE(place.isAlone());
}

TEST_CASE("variables that are missing, no numbers or contradict one another are refused with the remedy")
{
    for (const char* const name : {"RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_ADDR", "MASTER_PORT"}) {
        CHECK(says(refusalOf(without(torchrun(), name)), std::string(name) + " is not set"));
        CHECK(says(refusalOf(with(torchrun(), name, "")), std::string(name) + " is not set"));
    }
    for (const char* const name : {"RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_PORT"})
        for (const char* const value : {"two", "1.5", "-1", "1 ", "99999999999999999999"})
            CHECK(says(refusalOf(with(torchrun(), name, value)),
                       std::string(name) + " is \"" + value + "\", not a number from "));
    CHECK(says(refusalOf(with(torchrun(), "RANK", "4")), "RANK is 4, but WORLD_SIZE is 4"));
    CHECK(says(refusalOf(with(torchrun(), "WORLD_SIZE", "0")), "not a number from 1 to "));
    CHECK(says(refusalOf(with(torchrun(), "MASTER_PORT", "65536")), "not a number from 1 to 65535"));
    CHECK(says(refusalOf(with(torchrun(), "LOCAL_RANK", "4")), "LOCAL_RANK is 4, more than RANK, 3"));

    CHECK(says(refusalOf(without(srun(), "SLURM_LOCALID")), "SLURM_LOCALID is not set"));
    CHECK(says(refusalOf(without(srun(), "SLURM_JOB_ID")), "SLURM_JOB_ID is not set"));
    CHECK(says(refusalOf(with(srun(), "SLURM_PROCID", "9")), "but SLURM_STEP_NUM_TASKS is 4"));
    CHECK(says(refusalOf(with(srun(), "SLURM_STEP_NODELIST", ",")), "names no host"));
    CHECK(says(refusalOf(without(without(srun(), "SLURM_STEP_NODELIST"), "SLURM_JOB_NODELIST")),
               "SLURM_JOB_NODELIST is not set"));
}

TEST_CASE("the first host of Slurm's list is found in all its forms")
{
    CHECK(train::firstHost("gpu7") == "gpu7");
    CHECK(train::firstHost("gpu7,gpu8") == "gpu7");
    CHECK(train::firstHost("gpu[007-009,12],login") == "gpu007");
    CHECK(train::firstHost("gpu[3,5]") == "gpu3");
    CHECK(train::firstHost("r[1-2]n[3-4]-ib,r9n1") == "r1n3-ib");
    CHECK(train::firstHost("head-node,gpu[1-2]") == "head-node");
    CHECK(train::firstHost("").empty());
    CHECK(train::firstHost("gpu[").substr(0, 3) == "gpu");
}
