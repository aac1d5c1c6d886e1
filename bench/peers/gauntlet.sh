#!/bin/sh
# Garrison against Fairy-Stockfish: 200 games in each of five games, 100 openings from both sides.
# What was broken off goes on when it is started again with the same folder.
#
#   FSF=PATH FSF_LARGE=PATH bench/peers/gauntlet.sh FOLDER
#
# ENGINE     the program that is measured          (garrison)
# REFEREE    the arbiter, and the judge of the peer (ENGINE); one that does not change makes equal openings
# FSF        Fairy-Stockfish for 8x8 boards        (fairy-stockfish)
# FSF_LARGE  Fairy-Stockfish for large boards      (fairy-stockfish-large)
# VARIANTS   the games, with blanks between        (swda-oo swda-aa swda-jj swda-oa shoogantshii)
# GAMES      in each of them, an even number       (200)
# TC         seconds+increment                     (1+0.05)
# HASH       MiB for each side                     (32)
# CONCURRENCY games at once                        (2)
# OPENINGS   a folder with sets made before, so that versions are compared on the same (FOLDER)
# SEED       of the openings                       (1)
set -eu

[ $# -eq 1 ] || { echo "usage: gauntlet.sh FOLDER (see its first lines)" >&2; exit 2; }
folder=$1
here=$(cd "$(dirname "$0")" && pwd)
engine=${ENGINE:-garrison}
referee=${REFEREE:-$engine}
games=${GAMES:-200}
hash=${HASH:-32}
openings=${OPENINGS:-$folder}
mkdir -p "$folder" "$openings"

for variant in ${VARIANTS:-swda-oo swda-aa swda-jj swda-oa shoogantshii}; do
  set_of=$openings/$variant.epd
  [ -s "$set_of" ] || {
    # A set that was broken off must not be taken for a whole one.
    "$referee" openings --variant "$variant" --count $((games / 2)) --plies 8 --window 80 \
      --seed "${SEED:-1}" > "$set_of.part"
    mv "$set_of.part" "$set_of"
  }
  case $variant in
    swda*) peer=${FSF:-fairy-stockfish} ;;
    *) peer=${FSF_LARGE:-fairy-stockfish-large} ;;
  esac
  "$referee" match --variant "$variant" --games "$games" --concurrency "${CONCURRENCY:-2}" \
    --engine cmd="$engine" name=garrison option.Hash="$hash" \
    --engine cmd="$here/fairy-stockfish" name=fairy-stockfish option.Hash="$hash" \
      arg=--engine arg="$peer" arg=--judge arg="$referee" \
    --tc "${TC:-1+0.05}" --openings "$set_of" \
    --resign score=1000 moves=4 --max-plies 800 \
    --log "$folder/$variant.jsonl" --pgn "$folder/$variant.pgn" --resume > /dev/null
  # Of the log, as a run that had nothing left to play reports nothing.
  "$referee" match --merge "$folder/$variant.jsonl" > "$folder/$variant.txt"
  echo "== $variant"
  cat "$folder/$variant.txt"
done
