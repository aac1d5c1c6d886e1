#!/usr/bin/env bash
# One match as a Slurm job array: every task plays its part of the games, the last command joins them.
#
#   sbatch --array=1-16 bench/cluster/slurm.sh
#   garrison match --merge match/part-*.jsonl --log match/all.jsonl --pgn match/all.pgn
#
# A task that was killed and is queued again goes on where it was (--resume).
#SBATCH --job-name=garrison-match
#SBATCH --cpus-per-task=2
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --output=match/slurm-%A-%a.txt
set -euo pipefail

GARRISON=${GARRISON:-garrison}
OUT=${OUT:-match}
PARTS=${SLURM_ARRAY_TASK_COUNT:-1}
PART=${SLURM_ARRAY_TASK_ID:-1}

mkdir -p "$OUT"
# Each part has whole pairs of games, chosen by their numbers: which machine plays them changes nothing.
exec "$GARRISON" match \
    --variant "${VARIANTS:-all}" --games "${GAMES:-20000}" --nodes "${NODES:-1000}" \
    --openings "${OPENINGS:-random:8}" --seed "${SEED:-1}" \
    --engine name=new cmd="${NEW:-$GARRISON}" --engine name=old cmd="${OLD:-$GARRISON}" \
    --concurrency "${SLURM_CPUS_PER_TASK:-1}" --shard "$PART/$PARTS" \
    --log "$OUT/part-$PART.jsonl" --resume
