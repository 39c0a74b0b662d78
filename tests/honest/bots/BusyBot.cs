using System;
using System.Diagnostics;
using System.IO;
using System.IO.MemoryMappedFiles;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

/// C# with many features: threads, timers, child processes, pipes, memory, files.
class BusyBot
{
    static void Check(bool holds)
    {
        if (!holds) throw new Exception("not as it should be");
    }

    static void WithThreads()
    {
        var rung = new ManualResetEvent(false);
        using (new Timer(_ => rung.Set(), null, 5, Timeout.Infinite)) Check(rung.WaitOne(10000));
        var sum = 0;
        Parallel.For(0, 100, number => Interlocked.Add(ref sum, number));
        var thread = new Thread(() => Thread.Sleep(2));
        thread.Start();
        thread.Join();
        Check(sum == 4950 && Task.Delay(2).ContinueWith(_ => 7).Result == 7);
    }

    static void WithChildren()
    {
        var start = new ProcessStartInfo("cat") { RedirectStandardInput = true, RedirectStandardOutput = true, UseShellExecute = false };
        using (var child = Process.Start(start))
        {
            child.StandardInput.Write("7");
            child.StandardInput.Close();
            Check(child.StandardOutput.ReadToEnd() == "7");
            child.WaitForExit();
        }
        using (var sleeper = Process.Start(new ProcessStartInfo("sleep", "60") { UseShellExecute = false }))
        {
            sleeper.Kill();
            sleeper.WaitForExit();
        }
    }

    static void WithSystem(string own)
    {
        var kept = Enumerable.Range(0, 50).Select(_ => new byte[1000000]).ToList();
        GC.Collect();
        GC.WaitForPendingFinalizers();
        using (var file = File.OpenRead(own))
        using (var mapped = MemoryMappedFile.CreateFromFile(
            file, null, 0, MemoryMappedFileAccess.Read, HandleInheritability.None, false))
        using (var view = mapped.CreateViewAccessor(0, 0, MemoryMappedFileAccess.Read))
            Check(view.ReadByte(0) == File.ReadAllBytes(own)[0]);
        Check(Directory.GetFiles(Path.GetDirectoryName(own)).Length > 0 && kept.Count == 50);
        Check(DateTime.Now.Year > 2000 && Stopwatch.GetTimestamp() > 0 && Environment.ProcessorCount > 0 && Guid.NewGuid() != Guid.Empty);
    }

    static void Main()
    {
        var own = typeof(BusyBot).Assembly.Location;
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
                WithThreads();
                WithChildren();
                WithSystem(own);
                Console.Out.WriteLine("bestmove " + legal[new Random().Next(legal.Length)]);
            }
            else if (words[0] == "quit") return;
            Console.Out.Flush();
        }
    }
}
