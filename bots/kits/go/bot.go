// my-bot, a bot for linesman. It plays every game; your idea goes into choose.
package main

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"log"
	"math"
	"math/rand"
	"os"
	"strconv"
	"strings"
)

// Turn is what the bot knows when it is on move.
type Turn struct {
	Game    string // its name, such as quixo
	Options string // such as size=5,max_plies=200,repetition=3
	Seat    int    // the bot's own, counted from 1
	Seats   int
	State   string    // the position as a token
	Legal   []string  // every legal move
	Clocks  []float64 // milliseconds left, by seat; empty without clocks
	Time    float64   // milliseconds to think about this move
}

// choose returns the move to play: here goes your idea. Until then, any legal move.
func choose(turn *Turn, random *rand.Rand) string {
	// Standard output belongs to the referee. Messages of your own go to standard error:
	// log.Print("position ", turn.State)
	return turn.Legal[random.Intn(len(turn.Legal))]
}

func main() {
	turn := &Turn{}
	random := rand.New(rand.NewSource(1))
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 16<<20) // the default allows lines of 64 KiB only
	for input.Scan() {
		words := strings.Fields(input.Text())
		if len(words) == 0 {
			continue
		}
		switch words[0] {
		case "ugi":
			fmt.Println("id name my-bot\nfeature state legal\nugiok")
		case "game": // game quixo seat 1 seats 2 id a~b~1 options size=5,...
			hash := fnv.New64a()
			hash.Write([]byte(strings.TrimSpace(input.Text())))
			random.Seed(int64(hash.Sum64())) // a game that is played again goes the same way
			turn.Game = words[1]
			turn.Options = after(words, "options")
			turn.Seat = int(number(words, "seat", 1))
			turn.Seats = int(number(words, "seats", 2))
		case "isready":
			fmt.Println("readyok")
		case "state":
			turn.State = words[1]
		case "legal":
			turn.Legal = words[1:]
		case "go": // go movetime 1000, or: go p1time 60000 p2time 60000 p1inc 0 p2inc 0
			turn.Clocks = nil
			for seat := 1; seat <= turn.Seats; seat++ {
				if left := number(words, fmt.Sprintf("p%dtime", seat), -1); left >= 0 {
					turn.Clocks = append(turn.Clocks, left)
				}
			}
			turn.Time = timeToThink(words, turn.Seat)
			fmt.Println("bestmove", choose(turn, random))
		case "quit":
			return
		}
	}
	if err := input.Err(); err != nil {
		log.Fatal(err)
	}
}

// timeToThink returns milliseconds for a move: a share of the clock, and a fifth less than is allowed.
func timeToThink(words []string, seat int) float64 {
	most := number(words, "movetime", math.Inf(1))
	clock := number(words, fmt.Sprintf("p%dtime", seat), math.Inf(1))
	share := clock/number(words, "movestogo", 30) + number(words, fmt.Sprintf("p%dinc", seat), 0)
	return 0.8 * math.Min(most, math.Min(clock, share))
}

// after returns the word that follows a name, such as 1000 in `movetime 1000`.
func after(words []string, name string) string {
	for index, word := range words[:len(words)-1] {
		if word == name {
			return words[index+1]
		}
	}
	return ""
}

func number(words []string, name string, otherwise float64) float64 {
	value, err := strconv.ParseFloat(after(words, name), 64)
	if err != nil {
		return otherwise
	}
	return value
}
