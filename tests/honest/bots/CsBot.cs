using System;
using System.IO;
using System.Linq;
using System.Threading.Tasks;

/// C# with tasks on its thread pool.
class CsBot
{
    static void Main(string[] arguments)
    {
        var need = arguments.FirstOrDefault();
        if (need == "read") File.ReadAllBytes("../elsewhere/weights.bin");
        if (need == "write") File.WriteAllText("bot.log", "");
        var legal = new string[0];
        string line;
        while ((line = Console.In.ReadLine()) != null)
        {
            var words = line.Split(' ');
            if (words[0] == "ugi") Console.Out.WriteLine("feature legal\nugiok");
            else if (words[0] == "isready") Console.Out.WriteLine("readyok");
            else if (words[0] == "legal") legal = words.Skip(1).ToArray();
            else if (words[0] == "go")
            {
                var values = legal.Select(move => Task.Run(() => move)).Select(task => task.Result);
                Console.Out.WriteLine("bestmove " + values.Max());
            }
            else if (words[0] == "quit") return;
            Console.Out.Flush();
        }
    }
}
