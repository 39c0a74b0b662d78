#!/usr/bin/env lua
-- my-bot, a bot for linesman. It plays every game; your idea goes into `choose`.

io.stdout:setvbuf("line") -- without it, lines might wait in a buffer

-- What the bot knows when it is on move.
local turn = {
  game = "", -- its name, such as quixo
  options = "", -- such as size=5,max_plies=200,repetition=3
  seat = 1, -- the bot's own, counted from 1
  seats = 2,
  state = "", -- the position as a token
  legal = {}, -- every legal move
  clocks = {}, -- milliseconds left, by seat; empty without clocks
  time = 0, -- milliseconds to think about this move
}

-- The move to play: here goes your idea. Until then, any legal move.
local function choose(turn)
  -- Standard output belongs to the referee. Messages of your own go to standard error:
  -- io.stderr:write("position ", turn.state, "\n")
  return turn.legal[math.random(#turn.legal)]
end

-- The word that follows a name, such as 1000 in `movetime 1000`.
local function after(words, name)
  for index, word in ipairs(words) do
    if word == name then
      return words[index + 1]
    end
  end
  return nil
end

-- Milliseconds for a move: a share of the clock, and a fifth less than is allowed.
local function time_to_think(words, seat)
  local most = tonumber(after(words, "movetime")) or math.huge
  local clock = tonumber(after(words, "p" .. seat .. "time")) or math.huge
  local share = clock / (after(words, "movestogo") or 30) + (after(words, "p" .. seat .. "inc") or 0)
  return 0.8 * math.min(most, clock, share)
end

-- Begins the random numbers anew: the same text gives the same numbers.
local function seed(text)
  local sum = 0
  for index = 1, #text do
    sum = (sum * 31 + text:byte(index)) % 2147483647
  end
  math.randomseed(sum)
end

for line in io.lines() do
  local words = {}
  for word in line:gmatch("%S+") do
    table.insert(words, word)
  end
  local verb = table.remove(words, 1)
  if verb == "ugi" then
    print("id name my-bot\nfeature state legal\nugiok")
  elseif verb == "game" then -- game quixo seat 1 seats 2 id a~b~1 options size=5,...
    seed(table.concat(words, " ")) -- a game that is played again goes the same way
    turn.game = words[1]
    turn.options = after(words, "options") or ""
    turn.seat = tonumber(after(words, "seat"))
    turn.seats = tonumber(after(words, "seats"))
  elseif verb == "isready" then
    print("readyok")
  elseif verb == "state" then
    turn.state = words[1]
  elseif verb == "legal" then
    turn.legal = words
  elseif verb == "go" then -- go movetime 1000, or: go p1time 60000 p2time 60000 p1inc 0 p2inc 0
    turn.clocks = {}
    for seat = 1, turn.seats do
      turn.clocks[seat] = tonumber(after(words, "p" .. seat .. "time"))
    end
    turn.time = time_to_think(words, turn.seat)
    print("bestmove " .. choose(turn))
  elseif verb == "quit" then
    break
  end
end
