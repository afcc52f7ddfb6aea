#include "engine/load/open_model.h"

#include "base/failure.h"
#include "base/timing.h"
#include "engine/load/model_loader.h"
#include "engine/load/model_tokenizer.h"
#include "engine/load/weights_tensors.h"
#include "model/adapter/adapter_files.h"
#include "model/fingerprint.h"
#include "model/model_locator.h"

#include <utility>

namespace hs::engine {

namespace {

/// The base with the adapter's name and gate; their weights are one.
std::shared_ptr<const Model> renamed(const Model& base, const Adapter& adapter)
{
    Model::Facts facts = base.facts();
    facts.name = adapter.facts().name;
    facts.spec.gateBias = adapter.facts().gateBias;
    return std::make_shared<const Model>(std::move(facts), std::make_unique<ModelWeights>(base.weights()));
}

}  // namespace

Workspace ModelOpener::openBase(const model::ModelFiles& files, const ModelArguments& arguments,
                                const Hooks& hooks)
{
    Workspace opened;
    const LoadOptions options{orThrow(chooseDevices(arguments.device)),
                              orThrow(chooseDType(arguments.dtype))};
    opened.folder = files.folder;
    opened.fingerprint = model::fingerprintOf(files);
    std::erase_if(m_open, [](const auto& entry) { return entry.second.model.expired(); });
    Shared& shared = m_open[files.folder.string() + '\n' + opened.fingerprint + '\n' +
                            toString(options.device) + '\n' + arguments.dtype];
    opened.tokenizer = shared.tokenizer.lock();
    opened.model = shared.model.lock();
    opened.adapters = shared.adapters.lock();
    // The tokenizer first: an error in it need not wait for the weights.
    if (!opened.tokenizer) {
        ModelTokenizer loaded = orThrow(loadTokenizer(files));
        opened.tokenizer = std::move(loaded.tokenizer);
        shared.tokenizerNotes = std::move(loaded.notes);
    }
    if (!opened.model)
        opened.model = orThrow(loadModel(files, options, hooks));
    if (!opened.adapters)
        opened.adapters = std::make_shared<const AdapterShelf>(opened.model);
    shared.model = opened.model;
    shared.tokenizer = opened.tokenizer;
    shared.adapters = opened.adapters;
    opened.notes = shared.tokenizerNotes;
    return opened;
}

Workspace ModelOpener::openAdapter(const ModelArguments& arguments, const Hooks& hooks)
{
    const model::AdapterFiles files = orThrow(model::locateAdapter(arguments.model));
    Workspace opened = openBase(orThrow(model::locateBase(files)), arguments, hooks);
    const std::string fingerprint = model::fingerprintOf(files.weights);
    Shared& shared = m_open[files.folder.string() + '\n' + fingerprint + '\n' + opened.fingerprint + '\n' +
                            toString(opened.model->facts().placement) + '\n' + arguments.dtype];
    opened.notes.insert(opened.notes.begin(), "An adapter of " + opened.model->facts().name + ".");
    const auto model = shared.model.lock();
    const auto adapters = shared.adapters.lock();
    if (model && adapters) {
        opened.model = model;
        opened.adapters = adapters;
    } else {
        const auto adapter = orThrow(loadAdapter(files, *opened.model));
        opened.adapters = std::make_shared<const AdapterShelf>(opened.model, adapter);
        opened.model = renamed(*opened.model, *adapter);
    }
    shared.model = opened.model;
    shared.adapters = opened.adapters;
    opened.folder = files.folder;
    opened.fingerprint += fingerprint;
    return opened;
}

Result<Workspace> ModelOpener::open(const ModelArguments& arguments, const Hooks& hooks)
{
    return guarded([&] {
        Workspace opened;
        const double taken = milliseconds([&] {
            ModelArguments wanted = arguments;
            wanted.model = model::lastStepAt(arguments.model);
            opened = model::isAdapter(wanted.model)
                         ? openAdapter(wanted, hooks)
                         : openBase(orThrow(model::locateModel(wanted.model)), wanted, hooks);
        });
        opened.loadMilliseconds = taken;
        const Model::Facts& facts = opened.model->facts();
        opened.notes.insert(opened.notes.begin(), facts.notes.begin(), facts.notes.end());
        if (const auto warning = slowBlasWarning(); warning && facts.placement.uses(Device::Kind::Cpu))
            opened.notes.push_back(*warning);
        if (arguments.device == "auto" && !std::exchange(m_hasLookedForGpu, true))
            if (const auto note = missingGpuNote())
                opened.notes.push_back(*note);
        return opened;
    });
}

}  // namespace hs::engine
