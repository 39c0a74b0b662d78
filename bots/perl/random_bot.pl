#!/usr/bin/env perl
# A bot for linesman that plays any game, by chance: a start for your own.
#
#     linesman match --game quixo --bot "perl bots/perl/random_bot.pl" --bot "linesman bot greedy" \
#                    --games 10 --movetime 200ms
#
# The referee writes lines to the bot's standard input and reads its answers
# from the standard output. Two habits keep a bot alive: flush what you print,
# and skip lines that you don't know.
use strict;
use warnings;

$| = 1;    # flush after every print

my @legal;    # the moves to choose from

while (my $line = <STDIN>) {
    my ($verb, @words) = split ' ', $line;
    next unless defined $verb;
    if ($verb eq 'ugi') {    # the referee says hello; `feature legal` asks for the list of legal moves
        print "id name Random (Perl)\nfeature legal\nugiok\n";
    }
    elsif ($verb eq 'game') {    # game quixo seat 1 seats 2 id a~b~1 options size=5,...
        my $seed = 5381;
        $seed = ($seed * 33 + ord) % 2**32 for split //, "@words";
        srand $seed;             # the same game, played again, goes the same way
    }
    elsif ($verb eq 'isready') {
        print "readyok\n";
    }
    elsif ($verb eq 'legal') {    # legal a1a5 a1e1 a2a1 ...
        @legal = @words;
    }
    elsif ($verb eq 'go') {       # go movetime 1000: answer in time; here is the place for thought
        print "bestmove $legal[rand @legal]\n";
    }
    elsif ($verb eq 'quit') {
        last;
    }
}
