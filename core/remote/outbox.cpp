#include "remote/outbox.h"

#include <algorithm>

namespace hs::remote {
namespace {

constexpr std::size_t kSmall = 16 << 10;
constexpr std::size_t kBurst = 64 << 10;

bool isAlwaysPrompt(Kind kind)
{
    return kind == Kind::Hello || kind == Kind::Progress || kind == Kind::Credit || kind == Kind::Beat;
}

}  // namespace

void Outbox::add(PackedPtr message)
{
    const auto lane = laneOf(message->request);
    const bool hasCredit = !isData(message->kind) || m_credit > 0;
    const bool isSmall = message->frames.size() == 1 && message->bytes <= kSmall;
    if (isAlwaysPrompt(message->kind) || (isSmall && hasCredit && lane == m_lanes.end())) {
        spend(*message, message->bytes);
        m_prompt.push_back(std::move(message));
    } else if (lane != m_lanes.end()) {
        lane->messages.push_back({std::move(message), 0});
    } else {
        m_lanes.push_back({message->request, {{message, 0}}});
    }
}

bool Outbox::drop(std::uint32_t request)
{
    const auto lane = laneOf(request);
    if (lane == m_lanes.end())
        return false;
    m_lanes.erase(lane);
    return true;
}

std::string Outbox::next()
{
    std::string bytes;
    while (bytes.size() < kBurst) {
        const std::string* const frame = nextFrame();
        if (!frame) {
            if (!m_isPadded)
                bytes += makePadding();
            m_isPadded = true;
            break;
        }
        m_isPadded = false;
        bytes += *frame;
    }
    return bytes;
}

const std::string* Outbox::nextFrame()
{
    if (!m_prompt.empty()) {
        m_current = std::move(m_prompt.front());
        m_prompt.pop_front();
        return &m_current->frames.front();
    }
    const auto lane = std::ranges::find_if(m_lanes, [this](const Lane& each) {
        return m_credit > 0 || !isData(each.messages.front().message->kind);
    });
    if (lane == m_lanes.end())
        return nullptr;
    Sending& sending = lane->messages.front();
    m_current = sending.message;
    const std::string& frame = m_current->frames[sending.frame++];
    spend(*m_current, frame.size());
    if (sending.frame == m_current->frames.size())
        lane->messages.pop_front();
    if (lane->messages.empty())
        m_lanes.erase(lane);
    else
        m_lanes.splice(m_lanes.end(), m_lanes, lane);
    return &frame;
}

std::list<Outbox::Lane>::iterator Outbox::laneOf(std::uint32_t request)
{
    return std::ranges::find(m_lanes, request, &Lane::request);
}

void Outbox::spend(const Packed& message, std::size_t bytes)
{
    if (isData(message.kind))
        m_credit -= static_cast<std::int64_t>(bytes);
}

}  // namespace hs::remote
