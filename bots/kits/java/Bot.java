// my-bot, a bot for linesman. It plays every game; your idea goes into `choose`.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

public class Bot {
    /** What the bot knows when it is on move. */
    static class Turn {
        String game = ""; // its name, such as quixo
        String options = ""; // such as size=5,max_plies=200,repetition=3
        int seat = 1; // the bot's own, counted from 1
        int seats = 2;
        String state = ""; // the position as a token
        List<String> legal = List.of(); // every legal move
        List<Double> clocks = List.of(); // milliseconds left, by seat; empty without clocks
        double time; // milliseconds to think about this move
    }

    private final Turn turn = new Turn();
    private Random random = new Random(1);

    /** The move to play: here goes your idea. Until then, any legal move. */
    String choose(Turn turn) {
        // Standard output belongs to the referee. Messages of your own go to standard error:
        // System.err.println("position " + turn.state);
        return turn.legal.get(random.nextInt(turn.legal.size()));
    }

    public static void main(String[] arguments) throws IOException {
        new Bot().run();
    }

    void run() throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            List<String> words = List.of(line.trim().split("\\s+"));
            switch (words.get(0)) {
                case "ugi":
                    say("id name my-bot\nfeature state legal\nugiok");
                    break;
                case "game": // game quixo seat 1 seats 2 id a~b~1 options size=5,...
                    random = new Random(line.trim().hashCode()); // a game that is played again goes the same way
                    turn.game = words.get(1);
                    turn.options = after(words, "options", "");
                    turn.seat = Integer.parseInt(after(words, "seat", "1"));
                    turn.seats = Integer.parseInt(after(words, "seats", "2"));
                    break;
                case "isready":
                    say("readyok");
                    break;
                case "state":
                    turn.state = words.get(1);
                    break;
                case "legal":
                    turn.legal = words.subList(1, words.size());
                    break;
                case "go": // go movetime 1000, or: go p1time 60000 p2time 60000 p1inc 0 p2inc 0
                    turn.clocks = new ArrayList<>();
                    for (int seat = 1; words.contains("p" + seat + "time"); seat++) {
                        turn.clocks.add(number(words, "p" + seat + "time", 0));
                    }
                    turn.time = timeToThink(words, turn.seat);
                    say("bestmove " + choose(turn));
                    break;
                case "quit":
                    return;
                default: // lines that the bot does not know
            }
        }
    }

    /** Milliseconds for a move: a share of the clock, and a fifth less than is allowed. */
    static double timeToThink(List<String> words, int seat) {
        double most = number(words, "movetime", Double.POSITIVE_INFINITY);
        double clock = number(words, "p" + seat + "time", Double.POSITIVE_INFINITY);
        double share = clock / number(words, "movestogo", 30) + number(words, "p" + seat + "inc", 0);
        return 0.8 * Math.min(most, Math.min(clock, share));
    }

    /** The word that follows a name, such as 1000 in `movetime 1000`. */
    static String after(List<String> words, String name, String otherwise) {
        int index = words.indexOf(name);
        return index < 0 ? otherwise : words.get(index + 1);
    }

    static double number(List<String> words, String name, double otherwise) {
        String word = after(words, name, null);
        return word == null ? otherwise : Double.parseDouble(word);
    }

    /** Writes a line to the referee. Without the flush it might wait in a buffer. */
    static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
