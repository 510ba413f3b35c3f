#!/usr/bin/perl
# An engine: opens what single numbers prove, else the cell that looks least risky.
use strict;
use warnings;
$| = 1;    # what stays in a buffer is never heard
my ($wide, $mines, $board) = (1, 0, '');    # the board has a rim of '/'

sub choose {
    my @around = map { my $row = $_ * $wide; map { $row + $_ } -1 .. 1 } -1 .. 1;
    my @covered = grep { substr($board, $_, 1) =~ /[#F?]/ } 0 .. length($board) - 1;
    my %covered = map { $_ => 1 } @covered;
    my (%mine, %risk, $known);
    do {
        ($known, %risk) = scalar keys %mine;
        for my $at (grep { substr($board, $_, 1) =~ /[1-8]/ } 0 .. length($board) - 1) {
            my @near = grep { $covered{$_} } map { $at + $_ } @around;
            my @maybe = grep { !$mine{$_} } @near or next;
            my $left = substr($board, $at, 1) - @near + @maybe;
            return $maybe[0] if $left == 0;
            for (@maybe) { $mine{$_} = 1 if $left == @maybe }
            for (@maybe) { $risk{$_} = $left / @maybe if $left / @maybe > ($risk{$_} // 0) }
        }
    } while keys %mine > $known;
    my @rest = grep { !$mine{$_} } @covered or return;
    my $elsewhere = ($mines - keys %mine) / @rest;
    return (sort { ($risk{$a} // $elsewhere) <=> ($risk{$b} // $elsewhere) } @rest)[0];
}

while (<STDIN>) {
    my ($word, $rest) = split or next;
    if ($word eq 'umi') { print "id name Single numbers\nid author demine\numiok\n" }
    elsif ($word eq 'isready') { print "readyok\n" }
    elsif ($word eq 'newgame') { ($wide, $mines) = $rest =~ m{^(\d+)x\d+/(\d+)}; $wide++ }
    elsif ($word eq 'position') { $board = '/' x ($wide + 1) . $rest . '/' x ($wide + 1) }
    elsif ($word eq 'go' and defined(my $at = choose())) {
        my $row = int($at / $wide);
        print "bestmove ", $row - 1, " ", $at - $row * $wide - 1, "\n";
    }
    elsif ($word eq 'go') { print "bestmove none\n" }
    elsif ($word eq 'quit') { last }
    elsif ($word ne 'stop') { print "error unknown command: $word\n" }
}
