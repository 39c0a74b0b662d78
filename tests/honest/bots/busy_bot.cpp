// C++ with many features, like large engines: OpenMP, threads, timers, child processes, memory, files.
#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <fstream>
#include <future>
#include <iostream>
#include <mutex>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

static void check(bool holds, const char *what) {
    if (!holds) throw std::runtime_error(what);
}

static void with_threads() {
    long sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic)
    for (int number = 0; number < 1000; number++) sum += number;
    check(sum == 499500, "OpenMP");
    std::mutex mutex;
    std::condition_variable rung;
    std::unique_lock lock(mutex);
    check(rung.wait_for(lock, 3ms) == std::cv_status::timeout, "a timer");
    check(std::async(std::launch::async, [] { return 7; }).get() == 7, "a task");
    std::this_thread::sleep_for(2ms);
    check(std::thread::hardware_concurrency() > 0, "the number of CPUs");
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 8 << 20);
    pthread_t thread;
    check(pthread_create(&thread, &attributes, [](void *) -> void * { return nullptr; }, nullptr) == 0, "a thread");
    pthread_setname_np(thread, "searcher");
    pthread_join(thread, nullptr);
}

static void with_children() {
    check(std::system("true") == 0, "system");
    FILE *pipe = popen("echo 7", "r");
    check(pipe && fgetc(pipe) == '7' && pclose(pipe) == 0, "popen");
    int pair[2];
    check(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0, "a pair");
    pid_t child = fork();
    if (child == 0) _exit(write(pair[1], "7", 1) == 1 ? 7 : 1);
    char got = 0;
    int status = 0;
    check(read(pair[0], &got, 1) == 1 && waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7, "fork");
    close(pair[0]);
    close(pair[1]);
    char *arguments[] = {const_cast<char *>("true"), nullptr};
    check(posix_spawnp(&child, "true", nullptr, nullptr, arguments, environ) == 0, "posix_spawn");
    check(waitpid(child, &status, 0) == child && status == 0, "a child");
}

// A transposition table, on huge pages where available.
static void with_memory(const char *own) {
    const size_t size = 64 << 20;
    void *table = std::aligned_alloc(2 << 20, size);
    madvise(table, size, MADV_HUGEPAGE);
    std::fill_n(static_cast<char *>(table), size, 1);
    std::free(table);
    void *shared = mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    void *private_one = mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    check(shared != MAP_FAILED && private_one != MAP_FAILED, "anonymous memory");
    private_one = mremap(private_one, 1 << 20, 1 << 24, MREMAP_MAYMOVE);
    check(private_one != MAP_FAILED && mprotect(private_one, 4096, PROT_READ) == 0, "mremap and mprotect");
    check(munmap(shared, 1 << 20) == 0 && munmap(private_one, 1 << 24) == 0, "munmap");
    int file = open(own, O_RDONLY | O_CLOEXEC);
    void *text = mmap(nullptr, 4096, PROT_READ, MAP_SHARED, file, 0);
    check(text != MAP_FAILED && std::string(static_cast<char *>(text) + 1, 3) == "ELF", "a mapped file");
    munmap(text, 4096);
    char part[16];
    check(pread(file, part, 16, 0) == 16 && posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL) == 0, "a file");
    close(file);
    std::vector<std::vector<int>> grown(100);
    for (auto &one : grown)
        for (int number = 0; number < 100000; number++) one.push_back(number);
}

static void with_system() {
    cpu_set_t cpus;
    rusage used;
    check(sched_getaffinity(0, sizeof cpus, &cpus) == 0 && sched_getcpu() >= 0, "the CPUs");
    check(getrusage(RUSAGE_SELF, &used) == 0 && clock() >= 0 && time(nullptr) > 0, "the times");
    std::ifstream memory("/proc/self/statm");
    long pages = 0;
    check(static_cast<bool>(memory >> pages), "/proc");
}

int main(int, char **arguments) {
    std::mt19937 random(std::random_device{}());
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
            with_threads();
            with_children();
            with_memory(arguments[0]);
            with_system();
            std::cout << "bestmove " << legal[random() % legal.size()] << std::endl;
        }
        if (verb == "quit") break;
    }
}
