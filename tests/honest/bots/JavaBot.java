import java.io.FileInputStream;
import java.io.FileWriter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Scanner;

/** Java, with its threads. */
class JavaBot {
    public static void main(String[] arguments) throws Exception {
        String need = arguments.length > 0 ? arguments[0] : "";
        if (need.equals("read")) new FileInputStream("../elsewhere/weights.bin").read();
        if (need.equals("write")) new FileWriter("bot.log").close();
        List<String> legal = List.of();
        Scanner input = new Scanner(System.in);
        while (input.hasNextLine()) {
            String[] words = input.nextLine().split(" ");
            switch (words[0]) {
                case "ugi" -> System.out.println("feature legal\nugiok");
                case "isready" -> System.out.println("readyok");
                case "legal" -> legal = Arrays.asList(words).subList(1, words.length);
                case "go" -> System.out.println("bestmove "
                        + legal.parallelStream().max(Comparator.comparingInt(String::hashCode)).get());
                case "quit" -> System.exit(0);
                default -> { }
            }
            System.out.flush();
        }
    }
}
