#!/bin/bash
# Plays @SHARDS@ shards one after another by GNU parallel: ./parallel.sh [OPTION...]
# Options are those of parallel, such as `--sshlogin HOST` where hosts share this folder. The same command goes on
# after a failure.
set -euo pipefail
seq 1 @SHARDS@ | parallel --quote --jobs 1 --tag --line-buffer "$@" @LINESMAN@ league run-shard @FOLDER@/{}.json
