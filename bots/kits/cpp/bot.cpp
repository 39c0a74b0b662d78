// my-bot, a bot for linesman. It plays every game; your idea goes into `choose`.

#include <algorithm>
#include <iostream>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using Words = std::vector<std::string>;

// What the bot knows when it is on move.
struct Turn {
    std::string game;    // its name, such as quixo
    std::string options; // such as size=5,max_plies=200,repetition=3
    int seat = 1;        // the bot's own, counted from 1
    int seats = 2;
    std::string state;          // the position as a token
    Words legal;                // every legal move
    std::vector<double> clocks; // milliseconds left, by seat; empty without clocks
    double time = 0;            // milliseconds to think about this move
};

// The move to play: here goes your idea. Until then, any legal move.
std::string choose(const Turn& turn, std::mt19937& random) {
    // Standard output belongs to the referee. Messages of your own go to standard error:
    // std::cerr << "position " << turn.state << '\n';
    std::uniform_int_distribution<std::size_t> index(0, turn.legal.size() - 1);
    return turn.legal[index(random)];
}

// The word that follows a name, such as 1000 in `movetime 1000`.
std::string after(const Words& words, const std::string& name) {
    const auto found = std::find(words.begin(), words.end(), name);
    return found == words.end() || found + 1 == words.end() ? "" : *(found + 1);
}

double number(const Words& words, const std::string& name, double otherwise) {
    const std::string word = after(words, name);
    return word.empty() ? otherwise : std::stod(word);
}

// Milliseconds for a move: a share of the clock, and a fifth less than is allowed.
double time_to_think(const Words& words, int seat) {
    const double infinite = std::numeric_limits<double>::infinity();
    const std::string own = "p" + std::to_string(seat);
    const double clock = number(words, own + "time", infinite);
    const double share = clock / number(words, "movestogo", 30) + number(words, own + "inc", 0);
    return 0.8 * std::min({number(words, "movetime", infinite), clock, share});
}

int main() {
    Turn turn;
    std::mt19937 random;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream input(line);
        std::string verb;
        input >> verb;
        Words words;
        for (std::string word; input >> word;) words.push_back(word);

        if (verb == "ugi") {
            std::cout << "id name my-bot\nfeature state legal\nugiok" << std::endl;
        } else if (verb == "game" && !words.empty()) {
            // game quixo seat 1 seats 2 id a~b~1 options size=5,...
            line.erase(line.find_last_not_of(" \t\r") + 1);
            std::seed_seq seed(line.begin(), line.end());
            random.seed(seed); // a game that is played again goes the same way
            turn.game = words[0];
            turn.options = after(words, "options");
            turn.seat = static_cast<int>(number(words, "seat", 1));
            turn.seats = static_cast<int>(number(words, "seats", 2));
        } else if (verb == "isready") {
            std::cout << "readyok" << std::endl;
        } else if (verb == "state" && !words.empty()) {
            turn.state = words[0];
        } else if (verb == "legal") {
            turn.legal = words;
        } else if (verb == "go") {
            // go movetime 1000, or: go p1time 60000 p2time 60000 p1inc 0 p2inc 0
            turn.clocks.clear();
            for (int seat = 1; seat <= turn.seats; seat++) {
                const double left = number(words, "p" + std::to_string(seat) + "time", -1);
                if (left >= 0) turn.clocks.push_back(left);
            }
            turn.time = time_to_think(words, turn.seat);
            std::cout << "bestmove " << choose(turn, random) << std::endl;
        } else if (verb == "quit") {
            break;
        }
    }
}
