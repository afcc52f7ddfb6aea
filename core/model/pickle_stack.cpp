#include "model/pickle_stack.h"

#include <algorithm>
#include <utility>

namespace hs::model {
namespace {

constexpr int kDeepest = 100;  // libtorch recurses through containers
constexpr std::size_t kPartsOfPlace = 5;
constexpr std::size_t kTypeInPlace = 3;  // counted from the end

}  // namespace

PickleStack::PickleStack(std::size_t memories, Refuse refuse)
    : m_memories(memories), m_refuse(std::move(refuse))
{
}

void PickleStack::push(std::size_t start, std::size_t end, Kind kind, int depth)
{
    if (depth > kDeepest)
        m_refuse("containers nested too deeply");
    m_values.push_back({start, end, m_objects.size(), kind});
    m_objects.push_back({depth});
}

void PickleStack::require(std::size_t count) const
{
    const std::size_t floor = m_marks.empty() ? 0 : m_marks.back().depth;
    if (m_values.size() < floor + count)
        m_refuse("an instruction without its operands");
}

PickleStack::Value& PickleStack::fromTop(std::size_t index)
{
    require(index + 1);
    return m_values[m_values.size() - 1 - index];
}

/// Takes off operands known to exist; returns the depth of the deepest.
int PickleStack::pop(std::size_t count)
{
    int depth = 0;
    for (; count > 0; --count) {
        if (m_values.back().kind == Kind::OrderedDict)
            m_refuse("a dictionary made in an unusual way");
        depth = std::max(depth, m_objects[m_values.back().object].depth);
        m_values.pop_back();
    }
    return depth;
}

void PickleStack::combineFrom(std::size_t start, std::size_t count, std::size_t end)
{
    const bool isPlace = count == kPartsOfPlace && fromTop(kTypeInPlace).kind == Kind::StorageType;
    const int depth = pop(count) + 1;
    push(start, end, isPlace ? Kind::StoragePlace : Kind::Plain, depth);
}

void PickleStack::combine(std::size_t count, std::size_t end)
{
    combineFrom(fromTop(count - 1).start, count, end);
}

void PickleStack::mark(std::size_t start)
{
    m_marks.push_back({m_values.size(), start});
}

PickleStack::Mark PickleStack::takeMark()
{
    if (m_marks.empty())
        m_refuse("an instruction without its mark");
    const Mark mark = m_marks.back();
    m_marks.pop_back();
    return mark;
}

void PickleStack::closeTuple(std::size_t end)
{
    const Mark mark = takeMark();
    combineFrom(mark.start, m_values.size() - mark.depth, end);
}

void PickleStack::closeItems(std::size_t groupSize)
{
    const std::size_t count = m_values.size() - takeMark().depth;
    if (count % groupSize != 0)
        m_refuse("a key without its value");
    addItems(count);
}

/// A container that was recalled may be inside its new items or others: a ring, or deeper than it looks.
void PickleStack::addItems(std::size_t count)
{
    require(count + 1);
    const int depth = pop(count) + 1;
    Object& container = m_objects[m_values.back().object];
    if (container.isShared)
        m_refuse("a container that changes after it was used");
    container.depth = std::max(container.depth, depth);
    if (container.depth > kDeepest)
        m_refuse("containers nested too deeply");
}

void PickleStack::memorise(std::size_t slot, std::size_t end)
{
    if (slot >= m_memories)
        m_refuse("a memory that is numbered too high");
    Value& value = fromTop(0);
    value.end = end;
    m_memory[slot] = value;
}

void PickleStack::recall(std::size_t slot, std::size_t start, std::size_t end)
{
    const auto memory = m_memory.find(slot);
    if (memory == m_memory.end())
        m_refuse("an instruction that recalls what was never there");
    m_values.push_back({start, end, memory->second.object, memory->second.kind});
    m_objects[memory->second.object].isShared = true;
}

void PickleStack::finish()
{
    if (m_values.size() != 1 || !m_marks.empty())
        m_refuse("it ends with more or less than one value");
    pop(1);
}

}  // namespace hs::model
