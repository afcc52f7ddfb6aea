#include "engine/load/open_model.h"

#include "base/failure.h"
#include "base/timing.h"
#include "engine/load/model_loader.h"
#include "engine/load/model_tokenizer.h"
#include "model/fingerprint.h"
#include "model/model_locator.h"

#include <utility>

namespace hs::engine {

Result<Workspace> ModelOpener::open(const ModelArguments& arguments, const Hooks& hooks)
{
    return guarded([&] {
        Workspace opened;
        opened.loadMilliseconds = milliseconds([&] {
            const model::ModelFiles files = orThrow(model::locateModel(arguments.model));
            const LoadOptions options{orThrow(chooseDevices(arguments.device)),
                                      orThrow(chooseDType(arguments.dtype))};
            opened.folder = files.folder;
            opened.fingerprint = model::fingerprintOf(files);
            std::erase_if(m_open, [](const auto& entry) { return entry.second.model.expired(); });
            Shared& shared = m_open[files.folder.string() + '\n' + opened.fingerprint + '\n' +
                                    toString(options.device) + '\n' + arguments.dtype];
            opened.tokenizer = shared.tokenizer.lock();
            opened.model = shared.model.lock();
            // The tokenizer first: an error in it need not wait for the weights.
            if (!opened.tokenizer) {
                ModelTokenizer loaded = orThrow(loadTokenizer(files));
                opened.tokenizer = std::move(loaded.tokenizer);
                shared.tokenizerNotes = std::move(loaded.notes);
            }
            if (!opened.model)
                opened.model = orThrow(loadModel(files, options, hooks));
            shared.model = opened.model;
            shared.tokenizer = opened.tokenizer;
            opened.notes = shared.tokenizerNotes;
        });
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
