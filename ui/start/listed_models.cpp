#include "start/listed_models.h"

#include "service/far_source.h"

namespace hs::start {
namespace {

constexpr const char* kDemoModels[] = {"demo:dense", "demo:sparse"};

bool isDemo(const model::FoundModel& model)
{
    return model.where.starts_with("demo:");
}

/// A model on another machine: what it is shows when it is opened.
model::FoundModel farModel(const std::string& source, const service::FarSource& there)
{
    model::FoundModel found;
    found.where = source;
    found.name = there.source.substr(there.source.find_last_of('/') + 1) + " on " + there.host;
    return found;
}

/// What both need together.
ListedModel pairOf(const ListedModel& dense, const ListedModel& sparse)
{
    ListedModel pair = dense;
    pair.found.bytesOnDisk += sparse.found.bytesOnDisk;
    if (pair.canOpen())
        pair.found.problem = sparse.found.problem;
    if (pair.fit && sparse.fit)
        pair.fit->needed += sparse.fit->needed;
    return pair;
}

}  // namespace

std::vector<ListedModel> listModels(const QStringList& recent, const control::Preferences& preferences,
                                    const model::Environment& environment)
{
    std::vector<std::string> named(std::begin(kDemoModels), std::end(kDemoModels));
    std::vector<model::FoundModel> far;
    for (const QString& source : recent) {
        if (const auto there = service::farSource(source.toStdString()))
            far.push_back(farModel(source.toStdString(), *there));
        else
            named.push_back(source.toStdString());
    }
    const model::FoundModels found = model::foundModels(named, environment);

    std::vector<ListedModel> list;
    const auto add = [&](const std::vector<model::FoundModel>& models, ListedModel::Group group) {
        for (const model::FoundModel& model : models) {
            ListedModel line{isDemo(model) ? ListedModel::Group::Demo : group, model, {}};
            if (model.spec)
                line.fit = engine::fitOf(*model.spec, preferences.device, preferences.dtype);
            list.push_back(std::move(line));
        }
    };
    add(found.named, ListedModel::Group::Recent);
    add(far, ListedModel::Group::Recent);
    add(found.downloaded, ListedModel::Group::Downloaded);
    add(found.beside, ListedModel::Group::Beside);
    list[0] = pairOf(list[0], list[1]);
    list.erase(list.begin() + 1);
    return list;
}

}  // namespace hs::start
