#!/bin/bash
# Plays @SHARDS@ shards on other machines: ./ssh.sh BOTS HOST...
# BOTS is the folder of the tournament file on these machines, with the bots in it. `linesman` has to be in the
# search path there. The records are copied back; the same command goes on after a failure.
set -euo pipefail
if [ "$#" -lt 2 ]; then
    printf 'usage: %s BOTS HOST...\n' "$0" >&2
    exit 2
fi
# It is quoted for the shells of the hosts, and begins in the home there.
bots="'${1//\'/\'\\\'\'}'"
bots=${bots/#"'~/"/"'"}
shift
hosts=("$@")
here=@FOLDER@
there=@THERE@

# Plays every shard whose turn it is on this host.
play() {
    local host=$1 first=$2 status=0 shard sum
    for ((shard = first; shard <= @SHARDS@; shard += ${#hosts[@]})); do
        # A shard that the host has is not replaced: its records are newer than those here, and it may be played just
        # now, by a process that has lost its connection.
        sum=$(cksum <"$here/$shard.json")
        tar -C "$here" -cf - $(cd "$here" && ls -d history.jsonl "$shard" 2>/dev/null) "$shard.json" |
            ssh "$host" "mkdir -p $there && cd $there && if [ \"\$(cat $shard.json 2>/dev/null | cksum)\" = '$sum' ]; then" \
                "cat >/dev/null; else rm -rf $shard; tar -xf - || { rm -f $shard.json; exit 1; }; fi"
        ssh "$host" "linesman league run-shard --folder $bots $there/$shard.json" \
            2> >(sed "s|^|$host: |" >&2) || status=$?
        ssh "$host" "tar -C $there -cf - $shard" | tar -C "$here" -xf -
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
