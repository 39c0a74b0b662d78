// C++ with threads, and with a shared library in the same folder.
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

const std::string &choose(const std::vector<std::string> &moves);

static void need(const std::string &what) {
    std::fstream file;
    file.exceptions(std::ios::failbit);
    if (what == "read") file.open("../elsewhere/weights.bin", std::ios::in);
    if (what == "write") file.open("bot.log", std::ios::out);
}

int main(int count, char **arguments) {
    if (count > 1) need(arguments[1]);
    std::vector<std::string> legal;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string verb;
        words >> verb;
        if (verb == "ugi") std::cout << "feature legal\nugiok" << std::endl;
        if (verb == "isready") std::cout << "readyok" << std::endl;
        if (verb == "legal") {
            legal.clear();
            for (std::string move; words >> move;) legal.push_back(move);
        }
        if (verb == "go") {
            std::string move;
            std::thread([&] { move = choose(legal); }).join();
            std::cout << "bestmove " << move << std::endl;
        }
        if (verb == "quit") break;
    }
}
