#!/usr/bin/perl
# An engine: opens what single numbers prove, else the cell that looks least risky.
use strict; use warnings;
$| = 1;    # what stays in a buffer is never heard
my ($wide, $mines, $board);    # the board as text, a '/' before and after each row

sub cell { my $row = int($_[0] / $wide); return $row . ' ' . ($_[0] - $row * $wide - 1) }

sub choose {
    my @covered = grep { substr($board, $_, 1) =~ /[#F?]/ } 0 .. length($board) - 1;
    my %risk = map { $_ => $mines / @covered } @covered;
    for (my $changed = 1; $changed--;) {
        while ($board =~ /([1-8])/g) {
            my ($number, $at) = ($1, $-[0]);
            my @near = grep { defined $risk{$_} } map { $_ - 1, $_, $_ + 1 } $at - $wide, $at, $at + $wide;
            my @maybe = grep { $risk{$_} < 1 } @near or next;
            my $share = ($number - @near + @maybe) / @maybe;
            return cell($maybe[0]) if $share == 0;
            for (grep { $risk{$_} < $share } @maybe) { $risk{$_} = $share; $changed = 1 }
        }
    }
    return @covered ? cell((sort { $risk{$a} <=> $risk{$b} || $a <=> $b } @covered)[0]) : 'none';
}

while (<STDIN>) {
    my ($word, $rest) = split or next;
    if ($word eq 'umi') { print "id name Single numbers\numiok\n" }
    elsif ($word eq 'isready') { print "readyok\n" }
    elsif ($word eq 'newgame') { ($wide, $mines) = $rest =~ m{^(\d+)x\d+/(\d+)}; $wide++ }
    elsif ($word eq 'position') { $board = "/$rest/" }
    elsif ($word eq 'go') { print 'bestmove ', choose(), "\n" }
    elsif ($word eq 'quit') { last }
    elsif ($word ne 'stop') { print "error unknown command: $word\n" }
}
