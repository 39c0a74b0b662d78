// my-bot, a bot for linesman. It plays every game; your idea goes into `Choose`.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;

/// <summary>What the bot knows when it is on move.</summary>
class Turn
{
    public string Game = "";      // its name, such as quixo
    public string Options = "";   // such as size=5,max_plies=200,repetition=3
    public int Seat = 1;          // the bot's own, counted from 1
    public int Seats = 2;
    public string State = "";     // the position as a token
    public string[] Legal = { };  // every legal move
    public double[] Clocks = { }; // milliseconds left, by seat; empty without clocks
    public double Time;           // milliseconds to think about this move
}

static class Bot
{
    static Random random = new Random(1);

    /// <summary>The move to play: here goes your idea. Until then, any legal move.</summary>
    static string Choose(Turn turn)
    {
        // Standard output belongs to the referee. Messages of your own go to standard error:
        // Console.Error.WriteLine("position " + turn.State);
        return turn.Legal[random.Next(turn.Legal.Length)];
    }

    static void Main()
    {
        var turn = new Turn();
        string line;
        // `Console.WriteLine` flushes each line.
        while ((line = Console.ReadLine()) != null)
        {
            var words = line.Split((char[])null, StringSplitOptions.RemoveEmptyEntries);
            switch (words.FirstOrDefault())
            {
                case "ugi":
                    Console.WriteLine("id name my-bot\nfeature state legal\nugiok");
                    break;
                case "game": // game quixo seat 1 seats 2 id a~b~1 options size=5,...
                    random = new Random(Hash(line.Trim())); // a game that is played again goes the same way
                    turn.Game = words[1];
                    turn.Options = After(words, "options") ?? "";
                    turn.Seat = (int)Number(words, "seat", 1);
                    turn.Seats = (int)Number(words, "seats", 2);
                    break;
                case "isready":
                    Console.WriteLine("readyok");
                    break;
                case "state":
                    turn.State = words[1];
                    break;
                case "legal":
                    turn.Legal = words.Skip(1).ToArray();
                    break;
                case "go": // go movetime 1000, or: go p1time 60000 p2time 60000 p1inc 0 p2inc 0
                    turn.Clocks = Enumerable.Range(1, turn.Seats)
                        .Select(seat => Number(words, "p" + seat + "time", -1))
                        .Where(left => left >= 0)
                        .ToArray();
                    turn.Time = TimeToThink(words, turn.Seat);
                    Console.WriteLine("bestmove " + Choose(turn));
                    break;
                case "quit":
                    return;
            }
        }
    }

    /// <summary>Milliseconds for a move: a share of the clock, and a fifth less than is allowed.</summary>
    static double TimeToThink(string[] words, int seat)
    {
        var most = Number(words, "movetime", double.PositiveInfinity);
        var clock = Number(words, "p" + seat + "time", double.PositiveInfinity);
        var share = clock / Number(words, "movestogo", 30) + Number(words, "p" + seat + "inc", 0);
        return 0.8 * Math.Min(most, Math.Min(clock, share));
    }

    /// <summary>The word that follows a name, such as 1000 in `movetime 1000`.</summary>
    static string After(string[] words, string name)
    {
        return words.SkipWhile(word => word != name).Skip(1).FirstOrDefault();
    }

    static double Number(string[] words, string name, double otherwise)
    {
        var word = After(words, name);
        return word == null ? otherwise : double.Parse(word, CultureInfo.InvariantCulture);
    }

    /// <summary>A number made of a text; `GetHashCode` gives another one in every process.</summary>
    static int Hash(string text)
    {
        return text.Aggregate(17, (sum, letter) => unchecked(31 * sum + letter));
    }
}
