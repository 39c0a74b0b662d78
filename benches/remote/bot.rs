//! The bot of these measurements, small because bots' files are sent to the workers.

/// Sleeps for the seconds given as its argument, then plays the first legal move.
pub const BOT: &str = r#"import sys, time

for line in sys.stdin:
    verb, *words = line.split()
    if verb == "ugi":
        print("feature legal\nugiok", flush=True)
    elif verb == "isready":
        print("readyok", flush=True)
    elif verb == "legal":
        move = words[0]
    elif verb == "go":
        time.sleep(float(sys.argv[1]))
        print("bestmove", move, flush=True)
    elif verb == "quit":
        break
"#;
