/* my-bot, a bot for linesman. It plays every game; your idea goes into `choose`. */

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SEATS = 4 };

/* What the bot knows when it is on move. */
struct turn {
    const char *game;    /* its name, such as quixo */
    const char *options; /* such as size=5,max_plies=200,repetition=3 */
    int seat;            /* the bot's own, counted from 1 */
    int seats;
    const char *state;          /* the position as a token */
    char **legal;               /* every legal move */
    size_t legal_count;
    double clocks[MOST_SEATS];  /* milliseconds left, by seat; INFINITY without clocks */
    double time;                /* milliseconds to think about this move */
};

/* The move to play: here goes your idea. Until then, any legal move. */
static const char *choose(const struct turn *turn)
{
    /* Standard output belongs to the referee. Messages of your own go to standard error: */
    /* fprintf(stderr, "position %s\n", turn->state); */
    return turn->legal[(size_t)rand() % turn->legal_count];
}

/* A line, and its words. They stay valid until the next line is read into it. */
struct line {
    char *text;
    size_t size;
    char **words;
    size_t count, room;
};

/* Reads a line and splits it. Returns 0 at the end of the input. */
static int read_line(struct line *line)
{
    if (getline(&line->text, &line->size, stdin) < 0)
        return 0;
    line->count = 0;
    for (char *word = strtok(line->text, " \t\r\n"); word; word = strtok(NULL, " \t\r\n")) {
        if (line->count == line->room) {
            line->room = line->room ? 2 * line->room : 64;
            line->words = realloc(line->words, line->room * sizeof *line->words);
            if (!line->words)
                abort();
        }
        line->words[line->count++] = word;
    }
    return 1;
}

/* Keeps a line beyond the next one that is read. */
static void keep(struct line *kept, struct line *line)
{
    struct line old = *kept;
    *kept = *line;
    *line = old;
}

/* The word that follows a name, such as 1000 in `movetime 1000`. */
static const char *after(const struct line *line, const char *name, const char *otherwise)
{
    for (size_t i = 1; i + 1 < line->count; i++)
        if (strcmp(line->words[i], name) == 0)
            return line->words[i + 1];
    return otherwise;
}

static double number(const struct line *line, const char *name, double otherwise)
{
    const char *word = after(line, name, NULL);
    return word ? strtod(word, NULL) : otherwise;
}

/* Reads `go movetime 1000` or `go p1time 60000 p2time 60000 p1inc 0 p2inc 0`. The time to think is a share
 * of the clock, and a fifth less than is allowed. */
static void read_times(const struct line *line, struct turn *turn)
{
    char name[32];
    for (int seat = 1; seat <= MOST_SEATS; seat++) {
        snprintf(name, sizeof name, "p%dtime", seat);
        turn->clocks[seat - 1] = number(line, name, INFINITY);
    }
    snprintf(name, sizeof name, "p%dinc", turn->seat);
    double clock = turn->clocks[turn->seat - 1];
    double share = clock / number(line, "movestogo", 30) + number(line, name, 0);
    turn->time = 0.8 * fmin(number(line, "movetime", INFINITY), fmin(clock, share));
}

/* Begins the random numbers anew: the same words give the same numbers. */
static void seed(const struct line *line)
{
    unsigned sum = 0;
    for (size_t i = 0; i < line->count; i++)
        for (const char *letter = line->words[i]; *letter; letter++)
            sum = 31 * sum + (unsigned char)*letter;
    srand(sum);
}

int main(void)
{
    struct line line = {0}, game = {0}, state = {0}, legal = {0};
    struct turn turn = {.seat = 1, .seats = 2};

    setvbuf(stdout, NULL, _IOLBF, 0); /* without it, lines might wait in a buffer */
    while (read_line(&line)) {
        const char *verb = line.count ? line.words[0] : "";
        if (strcmp(verb, "ugi") == 0) {
            puts("id name my-bot\nfeature state legal\nugiok");
        } else if (strcmp(verb, "game") == 0 && line.count > 1) {
            /* game quixo seat 1 seats 2 id a~b~1 options size=5,... */
            seed(&line); /* a game that is played again goes the same way */
            keep(&game, &line);
            turn.game = game.words[1];
            turn.options = after(&game, "options", "");
            turn.seat = atoi(after(&game, "seat", "1"));
            turn.seats = atoi(after(&game, "seats", "2"));
        } else if (strcmp(verb, "isready") == 0) {
            puts("readyok");
        } else if (strcmp(verb, "state") == 0 && line.count > 1) {
            keep(&state, &line);
            turn.state = state.words[1];
        } else if (strcmp(verb, "legal") == 0 && line.count > 1) {
            keep(&legal, &line);
            turn.legal = legal.words + 1;
            turn.legal_count = legal.count - 1;
        } else if (strcmp(verb, "go") == 0) {
            read_times(&line, &turn);
            printf("bestmove %s\n", choose(&turn));
        } else if (strcmp(verb, "quit") == 0) {
            break;
        }
    }
    return 0;
}
