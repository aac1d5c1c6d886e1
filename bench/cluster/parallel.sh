#!/usr/bin/env bash
# One match with GNU parallel, on this machine or on those of a list; then one report over all parts.
#
#   PARTS=4 GAMES=400 bench/cluster/parallel.sh
#   PARTS=64 JOBS=2 HOSTS=hosts.txt bench/cluster/parallel.sh     # a shared folder, two parts a host at once
#
# Started again, it goes on where it was (--resume).
set -euo pipefail

GARRISON=${GARRISON:-garrison}
OUT=${OUT:-match}
PARTS=${PARTS:-2}
ARGS=(--jobs "${JOBS:-2}" --line-buffer)
if [ -n "${HOSTS:-}" ]; then
    ARGS+=(--sshloginfile "$HOSTS" --workdir .)
fi

mkdir -p "$OUT"
# The report of a part is of little use; its log counts.
parallel "${ARGS[@]}" "$GARRISON match \
    --variant ${VARIANTS:-all} --games ${GAMES:-400} --nodes ${NODES:-500} \
    --openings ${OPENINGS:-random:8} --seed ${SEED:-1} \
    --engine name=new cmd=${NEW:-$GARRISON} --engine name=old cmd=${OLD:-$GARRISON} \
    --shard {}/$PARTS --log $OUT/part-{}.jsonl --resume > $OUT/part-{}.txt" ::: $(seq "$PARTS")

rm -f "$OUT/all.jsonl" "$OUT/all.pgn"
"$GARRISON" match --merge "$OUT"/part-*.jsonl --log "$OUT/all.jsonl" --pgn "$OUT/all.pgn"
