<?php
// PHP with many features: child processes, socket pairs, timers, memory, files.

function check($holds, $what)
{
    if (!$holds) throw new Exception($what);
}

function with_children()
{
    check(shell_exec('echo 7') === "7\n", 'a command');
    $child = proc_open(['cat'], [['pipe', 'r'], ['pipe', 'w']], $pipes);
    fwrite($pipes[0], '7');
    fclose($pipes[0]);
    check(stream_get_contents($pipes[1]) === '7' && proc_close($child) === 0, 'cat');
    [$ours, $theirs] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    fwrite($theirs, '7');
    $read = [$ours];
    $none = null;
    check(stream_select($read, $none, $none, 5) === 1 && fread($ours, 1) === '7', 'a pair');
    if (function_exists('pcntl_fork')) {
        $forked = pcntl_fork();
        if ($forked === 0) posix_kill(posix_getpid(), SIGKILL);
        check(pcntl_waitpid($forked, $status) === $forked, 'fork');
        pcntl_async_signals(true);
        pcntl_signal(SIGALRM, fn () => 0);
        pcntl_alarm(1);
        pcntl_alarm(0);
    }
}

function with_system()
{
    $kept = array_map(fn ($number) => str_repeat('x', 1000000), range(1, 30));
    gc_collect_cycles();
    check(strlen(file_get_contents(__FILE__)) === filesize(__FILE__) && count(scandir(__DIR__)) > 2, 'files');
    check(strlen(random_bytes(8)) === 8 && hrtime(true) > 0 && microtime(true) > 0 && getmypid() > 0 && $kept, 'the system');
    check(getrusage() && date('c') && realpath(__FILE__) && php_uname(), 'the times');
    usleep(2000);
}

$legal = [];
while (($line = fgets(STDIN)) !== false) {
    $words = preg_split('/\s+/', trim($line));
    $verb = array_shift($words);
    if ($verb === 'ugi') echo "feature legal\nugiok\n";
    elseif ($verb === 'isready') echo "readyok\n";
    elseif ($verb === 'legal') $legal = $words;
    elseif ($verb === 'go') {
        with_children();
        with_system();
        echo 'bestmove ' . $legal[random_int(0, count($legal) - 1)] . "\n";
    } elseif ($verb === 'quit') break;
}
