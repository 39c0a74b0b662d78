#!/usr/bin/env ruby
# frozen_string_literal: true

# my-bot, a bot for linesman. It plays every game; your idea goes into `choose`.

require "zlib"

$stdout.sync = true # without it, lines might wait in a buffer

# What the bot knows when it is on move.
Turn = Struct.new(
  :game,    # its name, such as quixo
  :options, # such as size=5,max_plies=200,repetition=3
  :seat,    # the bot's own, counted from 1
  :seats,
  :state,   # the position as a token
  :legal,   # every legal move
  :clocks,  # milliseconds left, by seat; empty without clocks
  :time     # milliseconds to think about this move
)

# The move to play: here goes your idea. Until then, any legal move.
def choose(turn, random)
  # Standard output belongs to the referee. Messages of your own go to standard error:
  # warn "position #{turn.state}"
  turn.legal.sample(random: random)
end

# The word that follows a name, such as 1000 in `movetime 1000`.
def after(words, name)
  index = words.index(name)
  words[index + 1] if index
end

# Milliseconds for a move: a share of the clock, and a fifth less than is allowed.
def time_to_think(words, seat)
  limits = [Float::INFINITY]
  limits << after(words, "movetime").to_i if words.include?("movetime")
  if words.include?("p#{seat}time")
    clock = after(words, "p#{seat}time").to_i
    limits << clock << clock / (after(words, "movestogo") || 30).to_i + after(words, "p#{seat}inc").to_i
  end
  0.8 * limits.min
end

turn = Turn.new
random = Random.new(1)
$stdin.each_line do |line|
  verb, *words = line.split
  case verb
  when "ugi"
    puts "id name my-bot", "feature state legal", "ugiok"
  when "game" # game quixo seat 1 seats 2 id a~b~1 options size=5,...
    random = Random.new(Zlib.crc32(line.strip)) # a game that is played again goes the same way
    turn = Turn.new(words[0], after(words, "options"), after(words, "seat").to_i, after(words, "seats").to_i)
  when "isready"
    puts "readyok"
  when "state"
    turn.state = words[0]
  when "legal"
    turn.legal = words
  when "go" # go movetime 1000, or: go p1time 60000 p2time 60000 p1inc 0 p2inc 0
    turn.clocks = words.each_cons(2).filter_map { |name, value| value.to_i if name.match?(/\Ap\dtime\z/) }
    turn.time = time_to_think(words, turn.seat)
    puts "bestmove #{choose(turn, random)}"
  when "quit"
    break
  end
end
