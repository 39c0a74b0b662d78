-- Haskell with many features: threads, timers, child processes, pipes, memory, files.
import Control.Concurrent
import Control.Monad
import qualified Data.ByteString as Bytes
import Data.Time.Clock
import System.CPUTime
import System.Directory
import System.Environment
import System.Exit
import System.IO
import System.Mem
import System.Posix hiding (createPipe)
import System.Process
import System.Timeout

withThreads :: IO ()
withThreads = do
  done <- newEmptyMVar
  forM_ [1 .. 8] $ \number -> forkOS (putMVar done (number :: Int))
  numbers <- replicateM 8 (takeMVar done)
  unless (sum numbers == 36) $ fail "threads"
  nothing <- timeout 2000 (threadDelay 1000000)
  unless (nothing == Nothing) $ fail "a timer"

withChildren :: IO ()
withChildren = do
  told <- readProcess "cat" [] "7"
  unless (told == "7") $ fail "cat"
  sleeper <- spawnProcess "sleep" ["60"]
  terminateProcess sleeper
  _ <- waitForProcess sleeper
  (output, input) <- createPipe
  forM_ [output, input] hClose
  _ <- installHandler sigUSR1 (Catch (return ())) Nothing
  raiseSignal sigUSR1

withSystem :: IO ()
withSystem = do
  let kept = Bytes.replicate 30000000 7
  unless (Bytes.length kept > 0 && length (show [1 .. 100000 :: Int]) > 0) $ fail "memory"
  performMajorGC
  own <- getExecutablePath
  text <- Bytes.readFile own
  entries <- listDirectory (reverse (dropWhile (/= '/') (reverse own)))
  unless (Bytes.length text > 1000 && length entries > 0) $ fail "files"
  now <- getCurrentTime
  used <- getCPUTime
  unless (utctDayTime now >= 0 && used >= 0) $ fail "clocks"

play :: [String] -> IO ()
play legal = do
  line <- getLine
  case words line of
    "ugi" : _ -> putStrLn "feature legal\nugiok" >> play legal
    "isready" : _ -> putStrLn "readyok" >> play legal
    "legal" : moves -> play moves
    "go" : _ -> do
      withThreads >> withChildren >> withSystem
      putStrLn ("bestmove " ++ last legal)
      play legal
    "quit" : _ -> exitSuccess
    _ -> play legal

main :: IO ()
main = hSetBuffering stdout LineBuffering >> play []
