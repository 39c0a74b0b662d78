#!/bin/bash
# Plays @SHARDS@ shards as an array of Slurm jobs: sbatch slurm.sh
# A job that was lost is played again by the same command: a shard goes on where it stopped.
#
#SBATCH --job-name=linesman
#SBATCH --array=1-@SHARDS@
#SBATCH --cpus-per-task=2
#SBATCH --output=slurm-%a.log
#SBATCH --open-mode=append
set -euo pipefail
exec @LINESMAN@ league run-shard @FOLDER@/"$SLURM_ARRAY_TASK_ID".json
