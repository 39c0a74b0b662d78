# Ruby with many features: threads, timers, child processes, socket pairs, memory, files.
require "etc"
require "open3"
require "securerandom"
require "socket"
require "timeout"

$stdout.sync = true

def check(holds, what)
  raise what unless holds
end

def with_threads
  check (1..5).map { |number| Thread.new { sleep 0.001; number } }.sum(&:value) == 15, "threads"
  queue = Queue.new
  Thread.new { queue << 7 }
  check queue.pop == 7, "a queue"
  begin
    Timeout.timeout(0.005) { sleep }
  rescue Timeout::Error
    check Ractor.new { 7 }.take == 7, "a ractor" if RUBY_VERSION < "3.5"
  end
end

def with_children
  check `echo 7` == "7\n", "a command"
  check Open3.capture2("cat", stdin_data: "7")[0] == "7", "cat"
  ours, theirs = UNIXSocket.pair
  child = fork { theirs.write "7"; exit! 7 }
  check IO.select([ours], nil, nil, 10) && ours.read(1) == "7", "a pair"
  check Process.wait2(child)[1].exitstatus == 7, "fork"
  [ours, theirs].each(&:close)
  sleeper = spawn "sleep", "60"
  Process.kill :TERM, sleeper
  Process.wait sleeper
  caught = Thread::Queue.new
  trap(:USR1) { caught << 1 }
  Process.kill :USR1, Process.pid
  check caught.pop == 1, "a signal"
end

def with_system
  kept = Array.new(50) { "x" * 1_000_000 } + Array.new(200_000) { |number| number.to_s }
  GC.start
  GC.compact if GC.respond_to?(:compact)
  check File.read(__FILE__).size == File.size(__FILE__) && Dir.children(__dir__).any? && kept.any?, "files"
  check IO.copy_stream(__FILE__, File::NULL) > 0, "a copy"
  check Etc.nprocessors > 0 && Process.clock_gettime(Process::CLOCK_MONOTONIC) > 0 && Time.now.to_i > 0, "clocks"
  check SecureRandom.hex && Random.urandom(8) && Process.times && Process.getrlimit(:NOFILE), "the system"
end

legal = []
while (line = $stdin.gets)
  verb, *words = line.split
  case verb
  when "ugi" then puts "feature legal\nugiok"
  when "isready" then puts "readyok"
  when "legal" then legal = words
  when "go"
    with_threads
    with_children
    with_system
    puts "bestmove #{legal.sample}"
  when "quit" then break
  end
end
