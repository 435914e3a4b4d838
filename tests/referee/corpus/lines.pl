# Perl has its own buffered layer: block-buffered on files, unbuffered on STDERR, switched by $|.
use strict;
use warnings;

print "line $_ of perl\n" for 1 .. 2000;
print STDERR "warning $_\n" for 1 .. 50;
printf STDERR ("%s, ", $_) for 1 .. 10;
syswrite(STDOUT, "around the buffer\n");
$| = 1;
print "flushed $_\n" for 1 .. 100;
$| = 0;
open(my $file, '>', 'perl.out') or die;
print $file "x" x 100, "\n" for 1 .. 1000;
close($file);
open(my $pipe, '|-', 'sort -n | tail -3') or die;
print $pipe "$_\n" for reverse 1 .. 100;
close($pipe);
print `echo captured`;
system('echo from a shell; echo to its stderr >&2');
my $child = fork();
print "after fork\n";
if (!$child) { exec('/bin/echo', 'executed') }
waitpid($child, 0);
warn "a warning with a line number";
exit 3;
