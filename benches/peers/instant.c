/* A bot that answers at once, for this project and its peers: with move n + 1 of a fixed
 * line after n moves. For chess (`uci`) the line is built in: pawn moves, then knight moves
 * until the position has repeated. For another game (`ugi`) the first argument is the line,
 * moves separated by commas. */
#include <stdio.h>
#include <string.h>

#define MOST_MOVES 1024

static char buffer[1 << 16];
static char chess[MOST_MOVES * 8];
static char line[MOST_MOVES * 16];
static char *moves[MOST_MOVES];

static void make_chess(void) {
    char *end = chess;
    for (int rank = 0; rank < 2; rank++)
        for (char file = 'a'; file <= 'h'; file++)
            end += sprintf(end, "%c%d%c%d,%c%d%c%d,", file, 2 + rank, file, 3 + rank, file, 7 - rank, file, 6 - rank);
    for (int times = 0; times < 16; times++)
        end += sprintf(end, "g1f3,g8f6,f3g1,f6g8,");
}

static int split(const char *text) {
    int count = 0;
    snprintf(line, sizeof line, "%s", text);
    for (char *word = strtok(line, ","); word && count < MOST_MOVES; word = strtok(NULL, ","))
        moves[count++] = word;
    return count;
}

/* Counts the moves in a `position`, and in chess those before its FEN: c-chess-cli only sends
 * the moves since the last irreversible one, so none after a pawn move. */
static int count_moves(const char *position) {
    const char *word = strstr(position, " moves ");
    char turn;
    int count = 0, number;
    if (sscanf(position, "position fen %*s %c %*s %*s %*d %d", &turn, &number) == 2)
        count = 2 * (number - 1) + (turn == 'b');
    if (!word) return count;
    for (word += 6; *word; word++)
        count += *word == ' ';
    return count;
}

int main(int argc, char **argv) {
    int played = 0, known;
    make_chess();
    known = split(argc > 1 ? argv[1] : chess);
    while (fgets(buffer, sizeof buffer, stdin)) {
        buffer[strcspn(buffer, "\r\n")] = 0;
        if (!strcmp(buffer, "uci")) puts("id name instant\nid author linesman\nuciok");
        else if (!strcmp(buffer, "ugi")) puts("ugiok");
        else if (!strcmp(buffer, "isready")) puts("readyok");
        else if (!strncmp(buffer, "position", 8)) played = count_moves(buffer);
        else if (!strncmp(buffer, "go", 2)) printf("bestmove %s\n", moves[played < known ? played : known - 1]);
        else if (!strcmp(buffer, "quit")) return 0;
        fflush(stdout);
    }
    return 0;
}
