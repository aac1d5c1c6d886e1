//! Packed files of positions: every game's positions come back as they were, damage is found, and what a crash left is
//! cut off.

mod walk;

use std::io::Cursor;
use std::path::Path;
use std::sync::Once;

use garrison::definitions::read_definitions;
use garrison::training::data::{DataReader, DataWriter, PackedError, PackedHeader, Record};
use garrison::training::sample::{self, End, Header, Line, Sample};
use garrison_rules::catalogue::{add, builtin_names, own_names, reference_names};
use garrison_rules::{Color, Position, Setup, find};
use walk::Random;

/// Every game: those that ship, and those of others.
fn names() -> Vec<String> {
    static OTHERS: Once = Once::new();
    OTHERS.call_once(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/games");
        add(read_definitions(&folder).expect("they are right")).expect("new games");
    });
    [builtin_names(), reference_names(), &own_names()].concat()
}

fn header(variants: &[&str]) -> Header {
    let text =
        "# garrison selfplay seed 7 nodes 20 plies 8 hash 4 keep aside version 0.1.0 variants ";
    (text.to_string() + &variants.join(" ")).parse().expect("a header")
}

/// The positions of a random walk, with scores and results of all kinds.
fn samples(name: &str, plies: usize, random: &mut Random) -> Vec<Sample> {
    let variant = find(name).expect("a game");
    let mut position = Position::start(&variant);
    let mut all = Vec::new();
    for _ in 0..plies {
        let ends =
            [None, Some(End(None)), Some(End(Some(Color::White))), Some(End(Some(Color::Black)))];
        let centipawns = match random.below(50) {
            0 => random.next() as i32,
            _ => random.below(4000) as i32 - 2000,
        };
        let end = ends[random.below(4)];
        all.push(Sample { position: position.without_history(), centipawns, end });
        match random.choose(&position) {
            Some(mv) if position.status().outcome().is_none() => position.make(mv),
            _ => position = Position::start(&variant),
        }
    }
    all
}

/// A packed file of these games, numbered from 1.
fn packed(header: &Header, games: &[Vec<Sample>]) -> Vec<u8> {
    let packed = PackedHeader::new(header).expect("known games");
    let mut writer = DataWriter::begin(Cursor::new(Vec::new()), &packed).expect("room");
    for (number, game) in (1..).zip(games) {
        let records: Vec<_> =
            game.iter().map(|sample| packed.pack(sample).expect("a game")).collect();
        writer.write(number, &records).expect("room");
    }
    writer.end().expect("room").into_inner()
}

/// The same as text.
fn text(header: &Header, games: &[Vec<Sample>]) -> String {
    let mut text = format!("{header}\n");
    for (number, game) in (1..).zip(games) {
        text += &format!("# game {number}\n");
        game.iter().for_each(|sample| text += &format!("{sample}\n"));
    }
    text
}

/// A file, whichever form it has, as text.
fn as_text(file: &[u8]) -> Result<String, String> {
    let mut lines = String::new();
    let header = sample::read(file, |line, _| {
        lines += &match line {
            Line::Game(number) => format!("# game {number}\n"),
            Line::Sample(sample) => format!("{sample}\n"),
        };
        Ok(())
    });
    header.map(|header| format!("{header}\n{lines}")).map_err(|error| error.to_string())
}

#[test]
fn the_positions_of_every_game_come_back() {
    for name in names() {
        let mut random = Random::new(5);
        let samples = samples(&name, 400, &mut random);
        let packed = PackedHeader::new(&header(&[&name])).expect("a known game");
        let (mut record, mut bytes) = (Record::default(), 0);
        for sample in &samples {
            let fen = sample.position.fen();
            let line = packed.pack(sample).expect("a game of the file");
            let packing = packed.packing_of(&line).expect("a game of the file");
            packing
                .unpack(&line, &mut record)
                .unwrap_or_else(|error| panic!("{name} {fen}: {error}"));
            let position =
                packing.position(&record).unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert_eq!(position.fen(), fen, "{name}");
            assert!(position == sample.position, "{name} {fen}");
            assert_eq!((record.centipawns, record.end), (sample.centipawns, sample.end), "{name}");
            assert_eq!(record.side_to_move, position.side_to_move());
            let pieces: Vec<_> = Setup::from(&position).pieces().collect();
            assert_eq!(record.pieces, pieces, "{name} {fen}");
            assert!(line.len() <= 80, "{name}: {} bytes for {fen}", line.len());
            bytes += line.len();
        }
        let mean = bytes as f64 / samples.len() as f64;
        println!("{name}: {mean:.1} bytes a position");
        assert!(mean <= 64.0, "{name}: {mean} bytes a position");
    }
}

#[test]
fn text_and_packed_say_the_same() {
    let mut random = Random::new(9);
    let names = ["swda-oo", "swda-ap", "shoranji"];
    let header = header(&names);
    let games: Vec<Vec<Sample>> =
        (0..90).map(|number| samples(names[number % 3], 7 * (number % 9), &mut random)).collect();
    let (text, packed) = (text(&header, &games), packed(&header, &games));
    assert_eq!(as_text(text.as_bytes()).expect("a text"), text);
    assert_eq!(as_text(&packed).expect("a packed file"), text);
    assert!(packed.len() * 2 < text.len(), "{} and {}", packed.len(), text.len());
    assert_eq!(sample::survey(packed.as_slice()).expect("games"), (header.clone(), 90));
    assert_eq!(sample::header(packed.as_slice()).expect("a header"), header);
    // A pipe gets other blocks and the same games.
    let head = PackedHeader::new(&header).expect("known games");
    let mut writer = DataWriter::begin_stream(Cursor::new(Vec::new()), &head).expect("room");
    for (number, game) in (1..).zip(&games) {
        let records: Vec<_> =
            game.iter().map(|sample| head.pack(sample).expect("a game")).collect();
        writer.write(number, &records).expect("room");
    }
    assert_eq!(writer.end().expect("room").into_inner(), packed);
}

/// Two blocks of games, and where they end.
fn two_blocks() -> (Header, Vec<Vec<Sample>>, Vec<u8>) {
    let mut random = Random::new(11);
    let header = header(&["shoogantshii"]);
    let games: Vec<Vec<Sample>> =
        (0..60).map(|_| samples("shoogantshii", 40, &mut random)).collect();
    let file = packed(&header, &games);
    (header, games, file)
}

#[test]
fn every_flipped_bit_is_found() {
    let (_, games, file) = two_blocks();
    let whole = as_text(&file).expect("a file");
    let mut reader = DataReader::new(file.as_slice()).expect("a header");
    let mut starts = vec![reader.offset() as usize];
    while reader.block(|_, _, _| Ok::<(), PackedError>(())).expect("blocks") {
        starts.push(reader.offset() as usize);
    }
    assert!(games.len() > 2 && starts.len() == 3, "{starts:?}");
    let (mut damaged, mut random) = (file.clone(), Random::new(2));
    // Every bit of the header and of the heads of both blocks, and some of what they hold.
    let heads = starts[..2].iter().flat_map(|&start| start..start + 48);
    let some: Vec<usize> = (0..300).map(|_| random.below(file.len())).collect();
    for at in (8..starts[0]).chain(heads).chain(some) {
        for bit in 0..8 {
            damaged[at] ^= 1 << bit;
            let fault = as_text(&damaged).expect_err("damage");
            assert!(fault.lines().count() == 1 && !fault.contains("panic"), "byte {at}: {fault}");
            damaged[at] ^= 1 << bit;
        }
    }
    assert_eq!(as_text(&damaged).expect("a file"), whole);
    damaged[starts[1] + 100] ^= 1;
    assert_eq!(as_text(&damaged).expect_err("damage"), "block 2: damaged: the checksum is wrong");
}

#[test]
fn what_a_crash_leaves_is_cut_off() {
    let (header, games, file) = two_blocks();
    let head = PackedHeader::new(&header).expect("a known game");
    let pack = |game: &Vec<Sample>| -> Vec<Vec<u8>> {
        game.iter().map(|sample| head.pack(sample).expect("a game")).collect()
    };
    let resumed = |torn: Vec<u8>| {
        let (mut writer, length) =
            DataWriter::resume(Cursor::new(torn), &head).expect("a torn file");
        writer.get_mut().get_mut().truncate(length as usize);
        let first = writer.last();
        for (number, game) in (1..).zip(&games).filter(|(number, _)| *number > first) {
            writer.write(number, &pack(game)).expect("room");
        }
        (first, writer.end().expect("room").into_inner())
    };
    // Cut anywhere, only the last block is lost.
    let start = head.bytes().len();
    let mut random = Random::new(3);
    for cut in [start, start + 1, start + 47, start + 48, file.len() - 1, file.len()]
        .into_iter()
        .chain((0..40).map(|_| start + random.below(file.len() - start)))
    {
        let (first, whole) = resumed(file[..cut].to_vec());
        assert!(whole == file, "cut at {cut}, went on after game {first}");
        assert!(as_text(&file[..cut]).is_ok(), "cut at {cut}");
    }
    // A game that no head counts is left out and cut off: the bytes of the next game, or the first of them.
    let mut writer = DataWriter::begin(Cursor::new(Vec::new()), &head).expect("room");
    for (number, game) in (1..).zip(&games[..5]) {
        writer.write(number, &pack(game)).expect("room");
    }
    let five = writer.end().expect("room").into_inner();
    let mut writer = DataWriter::begin(Cursor::new(Vec::new()), &head).expect("room");
    for (number, game) in (1..).zip(&games[..6]) {
        writer.write(number, &pack(game)).expect("room");
    }
    let six = writer.end().expect("room").into_inner();
    for cut in [five.len() + 1, five.len() + 9, five.len() + 300, six.len()] {
        let mut torn = five.clone();
        torn.extend(&six[five.len()..cut]);
        assert_eq!(as_text(&torn).expect("a file"), text(&header, &games[..5]));
        let (first, whole) = resumed(torn);
        assert_eq!(first, 5);
        assert!(whole == file, "cut at {cut}");
    }
    // A damaged block is no torn one.
    let mut damaged = file;
    damaged[start + 60] ^= 4;
    let fault = DataWriter::resume(Cursor::new(damaged), &head).expect_err("damage");
    assert_eq!(fault, PackedError::Checksum);
}

#[test]
fn other_games_and_versions_are_refused() {
    let (_, _, file) = two_blocks();
    let mut newer = file.clone();
    newer[8] = 2;
    assert_eq!(
        as_text(&newer).expect_err("a newer version"),
        "header: version 2 of the format; this program reads version 1"
    );
    assert_eq!(as_text(&file[..40]).expect_err("a part"), "header: the header is cut off");
    let foreign = PackedHeader::new(&header(&["chess"])).expect("a known game");
    let sample = samples("shogi", 1, &mut Random::new(1)).remove(0);
    assert_eq!(
        foreign.pack(&sample).expect_err("another game").to_string(),
        "a position of shogi, which the first line does not name"
    );
    let many: Vec<String> = (0..1025).map(|number| format!("game-{number}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let fault = PackedHeader::new(&header(&many)).expect_err("too many");
    assert_eq!(fault.to_string(), "1025 games; a packed file holds at most 1024");
    let fault = PackedHeader::new(&header(&["no-such-game"])).expect_err("an unknown game");
    assert!(fault.to_string().contains("no-such-game"), "{fault}");
}

#[test]
fn a_game_with_other_rules_is_refused() {
    let names = names();
    for (name, other) in [("chess", "shogi"), ("chess", "antichess"), ("antichess", "chess")] {
        assert!(names.iter().any(|known| known == other), "{other}");
        let mut packed = PackedHeader::new(&header(&[other])).expect("a known game");
        packed.header = header(&[name]);
        assert_eq!(
            as_text(&packed.bytes()).expect_err("other rules"),
            format!(
                "header: {name} had another board, other pieces or other moves when this was written"
            )
        );
    }
}

#[test]
fn records_of_anything_come_to_no_harm() {
    let mut random = Random::new(21);
    for name in names() {
        let packed = PackedHeader::new(&header(&[&name])).expect("a known game");
        let packing = &packed.packings[0];
        let samples = samples(&name, 20, &mut random);
        let mut record = Record::default();
        for sample in &samples {
            let mut bytes = packed.pack(sample).expect("a game of the file");
            for _ in 0..20 {
                let at = random.below(bytes.len());
                bytes[at] = random.next() as u8;
                if packing.unpack(&bytes, &mut record).is_ok() {
                    // Whatever it is: a position, or a line that says why not.
                    let _ = packing.position(&record).map(|position| position.fen());
                }
            }
            bytes.truncate(random.below(bytes.len()));
            let _ = packing.unpack(&bytes, &mut record);
        }
    }
}

/// Packs the text GARRISON_DATA, prints what it takes, and how fast it is read; writes it to GARRISON_OUT, if that is set.
#[test]
#[ignore = "a measurement: GARRISON_DATA"]
fn measure_a_file() {
    let Ok(path) = std::env::var("GARRISON_DATA") else {
        return eprintln!("skipped: GARRISON_DATA names no text of positions");
    };
    let text = std::fs::read(&path).expect("a text of positions");
    let head = sample::header(text.as_slice()).expect("a header");
    let packed = PackedHeader::new(&head).expect("known games");
    let mut writer = DataWriter::begin(Cursor::new(Vec::new()), &packed).expect("room");
    let (mut game, mut records, mut lengths) = (0, Vec::new(), Vec::new());
    let read = sample::read(text.as_slice(), |line, _| {
        match line {
            Line::Game(number) => {
                if game > 0 {
                    writer.write(game, &std::mem::take(&mut records)).expect("room");
                }
                game = number;
            }
            Line::Sample(sample) => {
                records.push(packed.pack(&sample).expect("a game of the file"));
                lengths.push(records.last().map_or(0, Vec::len));
            }
        }
        Ok(())
    });
    read.expect("a good file");
    writer.write(game, &records).expect("room");
    let file = writer.end().expect("room").into_inner();
    let count = lengths.len() as f64;
    let seconds = |work: &mut dyn FnMut(&PackedHeader, &[u8])| {
        let start = std::time::Instant::now();
        let mut reader = DataReader::new(file.as_slice()).expect("a header");
        while reader
            .block(|header, _, records| {
                records.for_each(|record| work(header, record));
                Ok::<(), PackedError>(())
            })
            .expect("a good file")
        {}
        start.elapsed().as_secs_f64()
    };
    let mut record = Record::default();
    let unpacked = seconds(&mut |header, bytes| {
        header
            .packing_of(bytes)
            .and_then(|packing| packing.unpack(bytes, &mut record))
            .expect("one");
    });
    let positions = seconds(&mut |header, bytes| {
        let packing = header.packing_of(bytes).expect("one");
        packing.unpack(bytes, &mut record).expect("one");
        packing.position(&record).expect("one");
    });
    lengths.sort_unstable();
    println!(
        "{}: {count} positions, text {:.1} bytes each, packed {:.1}, records {} (median) to {} (most); \
         unpacked {:.2} million/s, as positions {:.2} million/s",
        head.variants[0],
        text.len() as f64 / count,
        file.len() as f64 / count,
        lengths[lengths.len() / 2],
        lengths[lengths.len() - 1],
        count / unpacked / 1e6,
        count / positions / 1e6,
    );
    if let Ok(out) = std::env::var("GARRISON_OUT") {
        std::fs::write(out, file).expect("room");
    }
}
