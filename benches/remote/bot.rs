//! The bot of these measurements. It is small, since the files of bots travel.

/// It makes the first legal move each time, and sleeps before that for so many seconds.
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
