#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <vector>

namespace hs::model {

/// The stack of the pickle machine without the values themselves: which bytes made each, what libtorch
/// may do with it, and how deep it nests. Every step finds its operands or is refused.
class PickleStack {
public:
    enum class Kind {
        Plain,
        OrderedDict,   // the class, not yet called
        StorageType,   // a class that is an argument
        Function,      // a class that is called
        StoragePlace,  // a tuple that names a storage
    };
    struct Value {
        std::size_t start = 0;   // of the bytes that made it
        std::size_t end = 0;     // including the instructions that memorised it
        std::size_t object = 0;  // what it refers to; a recalled value shares it with the original
        Kind kind = Kind::Plain;
    };
    /// Must throw; is given the reason.
    using Refuse = std::function<void(const char* why)>;

    /// `memories`: slots below this one may be memorised.
    PickleStack(std::size_t memories, Refuse refuse);

    void push(std::size_t start, std::size_t end, Kind kind = Kind::Plain, int depth = 1);

    /// The operand at `index` from the top; refused if there is none above the last mark.
    Value& fromTop(std::size_t index);

    /// Combines the last `count` operands into one, made of the bytes from the first of them to `end`.
    void combine(std::size_t count, std::size_t end);

    void mark(std::size_t start);
    void closeTuple(std::size_t end);
    /// Moves the items above the mark, in groups of `groupSize`, into the container below it.
    void closeItems(std::size_t groupSize);
    /// Moves the last `count` operands into the container below them.
    void addItems(std::size_t count);

    void memorise(std::size_t slot, std::size_t end);
    void recall(std::size_t slot, std::size_t start, std::size_t end);

    /// Takes off the one value that a pickle ends with.
    void finish();

private:
    struct Object {
        int depth = 1;
        bool isShared = false;  // was recalled
    };
    struct Mark {
        std::size_t depth;  // of the stack below it
        std::size_t start;
    };

    void require(std::size_t count) const;
    int pop(std::size_t count);
    void combineFrom(std::size_t start, std::size_t count, std::size_t end);
    Mark takeMark();

    std::size_t m_memories;
    Refuse m_refuse;
    std::vector<Value> m_values;
    std::vector<Object> m_objects;
    std::vector<Mark> m_marks;
    std::map<std::size_t, Value> m_memory;  // by slot
};

}  // namespace hs::model
