import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Java that uses much of it: threads, timers, child processes, pipes, memory, files. */
class BusyBot {
    static void check(boolean holds) {
        if (!holds) throw new AssertionError();
    }

    static void withThreads() throws Exception {
        var pool = Executors.newFixedThreadPool(3);
        var timers = Executors.newScheduledThreadPool(1);
        var rung = timers.schedule(() -> 7, 5, TimeUnit.MILLISECONDS);
        check(pool.submit(() -> 7).get() == 7 && rung.get() == 7);
        check(IntStream.range(0, 100000).parallel().filter(number -> number % 2 == 0).count() == 50000);
        pool.shutdown();
        timers.shutdown();
        Thread.sleep(2);
    }

    static void withChildren() throws Exception {
        var child = new ProcessBuilder("cat").redirectErrorStream(true).start();
        child.getOutputStream().write('7');
        child.getOutputStream().close();
        check(child.getInputStream().read() == '7' && child.waitFor() == 0);
        var sleeper = new ProcessBuilder("sleep", "60").start();
        sleeper.destroy();
        check(sleeper.waitFor() != 0);
        var pipe = Pipe.open();
        var selector = Selector.open();
        pipe.source().configureBlocking(false).register(selector, SelectionKey.OP_READ);
        pipe.sink().write(ByteBuffer.wrap(new byte[1]));
        check(selector.select(1000) == 1);
        selector.close();
        pipe.source().close();
        pipe.sink().close();
    }

    static void withSystem(Path own) throws Exception {
        var kept = new ArrayList<byte[]>();
        for (int number = 0; number < 100; number++) kept.add(new byte[1000000]);
        var direct = ByteBuffer.allocateDirect(10000000);
        System.gc();
        try (var file = new RandomAccessFile(own.toFile(), "r")) {
            var mapped = file.getChannel().map(FileChannel.MapMode.READ_ONLY, 0, file.length());
            check(mapped.load().get(0) == Files.readAllBytes(own)[0] && direct.get(9) == 0);
        }
        try (var list = Files.list(own.getParent())) { check(list.count() > 0); }
        check(System.currentTimeMillis() > 0 && System.nanoTime() != 0 && new SecureRandom().nextInt(7) < 7);
        check(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() >= 0 && ProcessHandle.current().pid() > 0);
    }

    public static void main(String[] arguments) throws Exception {
        var own = Path.of(arguments[0]).toRealPath();
        List<String> legal = List.of();
        var input = new Scanner(System.in);
        while (input.hasNextLine()) {
            var words = input.nextLine().split(" ");
            switch (words[0]) {
                case "ugi" -> System.out.println("feature legal\nugiok");
                case "isready" -> System.out.println("readyok");
                case "legal" -> legal = Arrays.asList(words).subList(1, words.length);
                case "go" -> {
                    withThreads();
                    withChildren();
                    withSystem(own);
                    System.out.println("bestmove " + legal.get(0));
                }
                case "quit" -> System.exit(0);
                default -> { }
            }
            System.out.flush();
        }
    }
}
