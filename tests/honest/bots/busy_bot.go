// Go with many features: goroutines, timers, child processes, pipes, memory, files.
package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

func check(holds bool, err error) {
	if err != nil {
		panic(err)
	}
	if !holds {
		panic("not as it should be")
	}
}

func withThreads() {
	var group sync.WaitGroup
	for number := 0; number < 8; number++ {
		group.Add(1)
		go func() {
			defer group.Done()
			runtime.LockOSThread()
			for end := time.Now().Add(3 * time.Millisecond); time.Now().Before(end); {
			}
		}()
	}
	group.Wait()
	<-time.After(5 * time.Millisecond)
	rung, stop := context.WithTimeout(context.Background(), 2*time.Millisecond)
	<-rung.Done()
	stop()
}

func withChildren() {
	cat := exec.Command("cat")
	cat.Stdin = strings.NewReader("7")
	told, err := cat.Output()
	check(string(told) == "7", err)
	sleeper := exec.Command("sleep", "60")
	check(true, sleeper.Start())
	check(true, sleeper.Process.Kill())
	check(sleeper.Wait() != nil, nil)
	read, write, err := os.Pipe()
	check(true, err)
	go write.Write([]byte("7"))
	got := make([]byte, 1)
	_, err = read.Read(got)
	check(got[0] == '7', err)
	check(true, read.Close())
	check(true, write.Close())
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	check(true, err)
	check(true, syscall.Close(pair[0]))
	check(true, syscall.Close(pair[1]))
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGUSR1)
	check(true, syscall.Kill(os.Getpid(), syscall.SIGUSR1))
	<-signals
}

func withSystem() {
	kept := make([][]byte, 0)
	for number := 0; number < 100; number++ {
		kept = append(kept, make([]byte, 1<<20))
	}
	runtime.GC()
	check(len(kept) == 100, nil)
	own, err := os.Executable()
	check(true, err)
	text, err := os.ReadFile(own)
	check(true, err)
	file, err := os.Open(own)
	check(true, err)
	mapped, err := syscall.Mmap(int(file.Fd()), 0, 4096, syscall.PROT_READ, syscall.MAP_SHARED)
	check(bytes.Equal(mapped, text[:4096]), err)
	check(true, syscall.Munmap(mapped))
	check(true, file.Close())
	listed, err := os.ReadDir(filepath.Dir(own))
	check(len(listed) > 0, err)
	check(runtime.NumCPU() > 0, nil)
}

func main() {
	var legal []string
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<20)
	for input.Scan() {
		words := strings.Fields(input.Text())
		switch {
		case len(words) == 0:
		case words[0] == "ugi":
			fmt.Println("feature legal\nugiok")
		case words[0] == "isready":
			fmt.Println("readyok")
		case words[0] == "legal":
			legal = words[1:]
		case words[0] == "go":
			withThreads()
			withChildren()
			withSystem()
			place, err := rand.Int(rand.Reader, big.NewInt(int64(len(legal))))
			check(true, err)
			fmt.Println("bestmove", legal[place.Int64()])
		case words[0] == "quit":
			return
		}
	}
}
