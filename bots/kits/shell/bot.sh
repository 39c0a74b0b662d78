#!/bin/sh
# my-bot, a bot for linesman. It plays every game; your idea goes into `choose`.

set -f            # `set -- $legal` splits words and must not look for files
LC_ALL=C

# When the bot is on move, it knows:
game=             # the name of the game, such as quixo
options=          # such as size=5,max_plies=200,repetition=3
seat=1            # the bot's own, counted from 1
seats=2
state=            # the position as a token
legal=            # every legal move
clocks=           # milliseconds left, by seat; empty without clocks
time=0            # milliseconds to think about this move

# Sets `move`, the move to play: here goes your idea. Until then, any legal move.
choose() {
    # Standard output belongs to the referee. Messages of your own go to standard error:
    # echo "position $state" >&2
    next_number
    set -- $legal
    shift $((number % $#))
    move=$1
}

# Reads `game quixo seat 1 seats 2 id a~b~1 options size=5,...`.
read_game() {
    game=$1 options=
    while [ $# -gt 1 ]; do
        case $1 in
            seat) seat=$2 ;;
            seats) seats=$2 ;;
            options) options=$2 ;;
        esac
        shift
    done
}

# Reads `go movetime 1000` or `go p1time 60000 p2time 60000 p1inc 0 p2inc 0`, and sets `time` to a share of
# the clock, and a fifth less than is allowed.
read_go() {
    clocks= clock= increment=0 moves=30 most=
    while [ $# -gt 1 ]; do
        case $1 in
            "p${seat}inc") increment=$2 ;;
            "p${seat}time") clock=$2 clocks="$clocks $2" ;;
            p?time) clocks="$clocks $2" ;;
            movestogo) moves=$2 ;;
            movetime) most=$2 ;;
        esac
        shift
    done
    time=${most:-${clock:-1000}}
    if [ -n "$clock" ]; then
        for limit in "$clock" $((clock / moves + increment)); do
            [ "$limit" -ge "$time" ] || time=$limit
        done
    fi
    time=$((time * 4 / 5))
}

# Sets `number` to the next random number (Park and Miller): POSIX shells have none of their own.
next_number() {
    number=$((number * 16807 % 2147483647))
}

# Begins the random numbers anew: the same text gives the same numbers.
letters='abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ~-_.=,@+/ '
seed() {
    text=$1 number=1
    while [ -n "$text" ]; do
        rest=${text#?}
        letter=${text%"$rest"}
        text=$rest
        before=${letters%%"$letter"*}
        number=$(((number * 31 + ${#before}) % 2147483646 + 1))
    done
}

number=1
cr=$(printf '\r')
while IFS= read -r line || [ -n "$line" ]; do
    line=${line%"$cr"}
    set -- $line
    [ $# -gt 0 ] || continue
    verb=$1
    shift
    case $verb in
        ugi) printf 'id name my-bot\nfeature state legal\nugiok\n' ;;
        game)
            seed "$line" # a game that is played again goes the same way
            read_game "$@"
            ;;
        isready) echo readyok ;;
        state) state=$1 ;;
        legal) legal=$* ;;
        go)
            read_go "$@"
            choose
            echo "bestmove $move"
            ;;
        quit) exit ;;
    esac
done
