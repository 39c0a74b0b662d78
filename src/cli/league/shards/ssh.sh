#!/bin/bash
# Plays @SHARDS@ shards on other machines: ./ssh.sh BOTS HOST...
# BOTS is the folder of the tournament file on these machines, with the bots in it. `linesman` has to be in the
# search path there. The records are copied back; run it again to go on after a failure.
set -euo pipefail
if [ "$#" -lt 2 ]; then
    printf 'usage: %s BOTS HOST...\n' "$0" >&2
    exit 2
fi
bots=$1
shift
hosts=("$@")
here=@FOLDER@
there=linesman-shards/@PLACE@

# Plays every shard whose turn it is on this host.
play() {
    local host=$1 first=$2 status=0 shard
    ssh "$host" mkdir -p "$there"
    for ((shard = first; shard <= @SHARDS@; shard += ${#hosts[@]})); do
        tar -C "$here" -cf - "$shard.json" $(cd "$here" && ls -d history.jsonl "$shard" 2>/dev/null) |
            ssh "$host" tar -C "$there" -xf -
        ssh "$host" linesman league run-shard --folder "$bots" "$there/$shard.json" || status=$?
        ssh "$host" tar -C "$there" -cf - "$shard" | tar -C "$here" -xf -
    done
    return "$status"
}

waits=()
for index in "${!hosts[@]}"; do
    play "${hosts[$index]}" "$((index + 1))" &
    waits+=("$!")
done
status=0
for wait in "${waits[@]}"; do
    wait "$wait" || status=$?
done
exit "$status"
