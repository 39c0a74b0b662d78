# Tcl: timers, child processes, files, and threads where available.
fconfigure stdout -buffering line

proc check {holds what} { if {!$holds} { error $what } }

proc choose {legal} {
    after 2 set ::rung 1
    vwait ::rung
    after 2
    check [expr {[exec echo 7] eq "7"}] echo
    set cat [open "|cat" r+]
    puts $cat 7
    close $cat write
    check [expr {[gets $cat] eq "7"}] cat
    close $cat
    lassign [chan pipe] output input
    close $output
    close $input
    if {![catch {package require Thread}]} {
        set thread [thread::create]
        check [expr {[thread::send $thread {expr {3 + 4}}] == 7}] threads
        thread::release $thread
    }
    set kept [string repeat x 30000000]
    set own [open [info script]]
    check [expr {[string length [read $own]] == [file size [info script]]}] files
    close $own
    check [expr {[clock milliseconds] > 0 && [pid] > 0 && [llength [glob [file dirname [info script]]/*]] > 0}] system
    return [lindex $legal [expr {int(rand() * [llength $legal])}]]
}

set legal {}
while {[gets stdin line] >= 0} {
    set words [lassign $line verb]
    switch -- $verb {
        ugi { puts "feature legal\nugiok" }
        isready { puts readyok }
        legal { set legal $words }
        go { puts "bestmove [choose $legal]" }
        quit { break }
    }
}
