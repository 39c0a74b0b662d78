#!/bin/bash
# Plays @SHARDS@ shards as an array of Slurm jobs: sbatch slurm.sh
# A shard goes on where it stopped when Slurm queues its job again, or when the same command is given again.
#
#SBATCH --job-name=linesman
#SBATCH --array=1-@SHARDS@
#SBATCH --cpus-per-task=2
#SBATCH --requeue
#SBATCH --chdir=@FOLDER@
#SBATCH --output=slurm-%a.log
#SBATCH --open-mode=append
set -euo pipefail
if [ "$(nproc)" -gt "${SLURM_CPUS_ON_NODE:-$(nproc)}" ]; then
    printf 'warning: jobs are not bound to their CPUs here, so shards on one node disturb each other; to prevent it, %s\n' \
        'submit with `sbatch --exclusive`' >&2
fi
exec @LINESMAN@ league run-shard @FOLDER@/"$SLURM_ARRAY_TASK_ID".json
