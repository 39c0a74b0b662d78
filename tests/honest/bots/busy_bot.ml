(* OCaml with many features: threads, timers, child processes, socket pairs, memory, files. *)

let with_threads () =
  let channel = Event.new_channel () in
  let send number = Event.sync (Event.send channel number) in
  let threads = List.map (Thread.create send) [ 1; 2; 3 ] in
  assert (List.fold_left (fun sum _ -> sum + Event.sync (Event.receive channel)) 0 threads = 6);
  List.iter Thread.join threads;
  Thread.delay 0.002;
  Unix.sleepf 0.002

let with_children () =
  let told = Unix.open_process_in "echo 7" in
  assert (input_line told = "7" && Unix.close_process_in told = Unix.WEXITED 0);
  let ours, theirs = Unix.socketpair Unix.PF_UNIX Unix.SOCK_STREAM 0 in
  (match Unix.fork () with
  | 0 -> ignore (Unix.write_substring theirs "7" 0 1); Unix._exit 7
  | child ->
      let ready, _, _ = Unix.select [ ours ] [] [] 10. in
      assert (ready = [ ours ] && Unix.waitpid [] child = (child, Unix.WEXITED 7)));
  List.iter Unix.close [ ours; theirs ];
  Sys.set_signal Sys.sigalrm (Sys.Signal_handle ignore);
  ignore (Unix.setitimer Unix.ITIMER_REAL { Unix.it_interval = 0.; it_value = 0.001 });
  (try Unix.sleepf 0.005 with Unix.Unix_error _ -> ())

let with_system () =
  let kept = Array.init 200_000 string_of_int in
  let table = Bigarray.Array1.create Bigarray.char Bigarray.c_layout 30_000_000 in
  Bigarray.Array1.fill table 'x';
  Gc.compact ();
  let file = Unix.openfile Sys.executable_name [ Unix.O_RDONLY ] 0 in
  let mapped = Bigarray.array1_of_genarray (Unix.map_file file Bigarray.char Bigarray.c_layout false [| -1 |]) in
  assert (mapped.{1} = 'E' && (Unix.fstat file).Unix.st_size > 1000 && Array.length kept > 0);
  Unix.close file;
  assert (Array.length (Sys.readdir (Filename.dirname Sys.executable_name)) > 0 && Unix.gettimeofday () > 0. && Unix.getpid () > 0)

let choose legal =
  with_threads ();
  with_children ();
  with_system ();
  List.nth legal (Random.int (List.length legal))

let rec play legal =
  match String.split_on_char ' ' (read_line ()) with
  | "ugi" :: _ -> print_endline "feature legal\nugiok"; play legal
  | "isready" :: _ -> print_endline "readyok"; play legal
  | "legal" :: moves -> play moves
  | "go" :: _ -> print_endline ("bestmove " ^ choose legal); play legal
  | "quit" :: _ -> ()
  | _ -> play legal

let () = Random.self_init (); play []
