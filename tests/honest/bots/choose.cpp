// The shared library of the C++ bot.
#include <algorithm>
#include <string>
#include <vector>

const std::string &choose(const std::vector<std::string> &moves) {
    return *std::max_element(moves.begin(), moves.end());
}
