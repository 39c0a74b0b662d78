#!/bin/bash
# Plays @SHARDS@ shards one after another by GNU parallel: ./parallel.sh [OPTION...]
# Options are those of parallel, such as `--sshlogin HOST` where hosts share this folder.
set -euo pipefail
seq 1 @SHARDS@ | parallel --jobs 1 "$@" @LINESMAN@ league run-shard @FOLDER@/{}.json
