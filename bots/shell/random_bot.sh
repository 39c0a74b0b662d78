#!/bin/sh
# A bot for linesman that plays any game, by chance, in plain POSIX shell:
#
#   linesman match --game quixo --bot "sh bots/shell/random_bot.sh" --bot "linesman bot greedy" \
#                  --games 10 --movetime 200ms
#
# No process is started for a move, so it answers within a millisecond or two.

set -f            # `set -- $moves` below parts words and must not look for files
LC_ALL=C
cr=$(printf '\r')
letters='abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ~-_.=,@+/ '
seed=1

# Park and Miller's random numbers: a shell has none of its own.
next_number() {
    seed=$((seed * 16807 % 2147483647))
}

# The same game, played again, goes the same way: its line makes the seed.
seed_by() {
    text=$1
    seed=1
    while [ -n "$text" ]; do
        rest=${text#?}
        letter=${text%"$rest"}
        text=$rest
        before=${letters%%"$letter"*}
        seed=$(((seed * 31 + ${#before}) % 2147483646 + 1))
    done
    next_number
}

while IFS= read -r line || [ -n "$line" ]; do
    line=${line%"$cr"}
    case $line in
        ugi | ugi\ *)
            # `feature legal` asks for the list of legal moves.
            printf 'id name Random (shell)\nfeature legal\nugiok\n'
            ;;
        game\ *)
            seed_by "$line"
            ;;
        isready*)
            echo readyok
            ;;
        legal\ *)
            moves=${line#legal }
            ;;
        go | go\ *)
            next_number
            set -- $moves
            shift $((seed % $#))
            echo "bestmove $1"
            ;;
        quit*)
            exit 0
            ;;
    esac
done
