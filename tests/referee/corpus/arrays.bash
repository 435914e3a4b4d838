#!/bin/bash
# What bash has and sh has not.
words=(alpha beta gamma)
echo "${words[@]}"
cat <<< "a here string"
diff <(printf '1\n2\n') <(printf '1\n3\n')
echo both &> both.txt
echo more &>> both.txt
tee copy.txt missing/copy < both.txt |& sort
coproc CAT { cat; }
echo "to the coprocess" >&"${CAT[1]}"
read -r line <&"${CAT[0]}"
echo "back: $line"
write_end=${CAT[1]}
exec {write_end}>&-
wait
echo "through a substituted process" > >(cat >&2)
wait $!
