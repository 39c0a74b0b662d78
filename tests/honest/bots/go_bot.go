// Go with goroutines and a running garbage collector.
package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strings"
)

func choose(legal []string) string {
	found := make(chan string)
	for _, move := range legal {
		go func(move string) {
			_ = make([]byte, 1<<20)
			found <- move
		}(move)
	}
	best := ""
	for range legal {
		if move := <-found; move > best {
			best = move
		}
	}
	runtime.GC()
	return best
}

func need(what string) error {
	switch what {
	case "read":
		_, err := os.ReadFile("../elsewhere/weights.bin")
		return err
	case "write":
		return os.WriteFile("bot.log", nil, 0o644)
	}
	return nil
}

func main() {
	if len(os.Args) > 1 {
		if err := need(os.Args[1]); err != nil {
			panic(err)
		}
	}
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
			fmt.Println("bestmove", choose(legal))
		case words[0] == "quit":
			return
		}
	}
}
