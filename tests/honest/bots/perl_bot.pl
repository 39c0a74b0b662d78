# Perl.
use strict;
use warnings;
$| = 1;

my $need = shift // '';
if ($need eq 'read') { open my $file, '<', '../elsewhere/weights.bin' or die "../elsewhere/weights.bin: $!"; }
if ($need eq 'write') { open my $file, '>', 'bot.log' or die "can't write bot.log: $!"; }

my @legal;
while (my $line = <STDIN>) {
    my ($verb, @words) = split ' ', $line or next;
    if ($verb eq 'ugi') { print "feature legal\nugiok\n" }
    elsif ($verb eq 'isready') { print "readyok\n" }
    elsif ($verb eq 'legal') { @legal = @words }
    elsif ($verb eq 'go') { print "bestmove $legal[-1]\n" }
    elsif ($verb eq 'quit') { last }
}
