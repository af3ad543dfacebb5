/**
 * Words of documentation that say the same, in the form that they are looked up in. A question in one of them also finds the
 * others, at half their worth. Few and general on purpose: a word of one trade does not belong here.
 */
const GROUPS = `
remove delete erase drop discard
folder directory
whole entire complete
make create generate
start begin launch
stop end halt terminate
change modify alter edit
show display print list
find search locate
get retrieve fetch obtain
error failure exception
wrong invalid incorrect
allow permit enable
forbid disallow prevent prohibit
disable deactivate off
keep retain preserve
save store persist
copy duplicate
size length
maximum max limit
minimum min
empty blank
fast quick
disk drive storage
program application command
option flag parameter argument
function method
row record
column field
wait block
twice repeatedly
old earlier previous
new latest recent
run execute
check verify validate
choose select pick
join combine merge
split divide separate
increase grow raise
decrease reduce shrink lower
need require must required mandatory
type kind
number count amount
remember cache
download fetch
undo revert
timeout expire
exclude ignore
network remote
`;

/** For each word, the others of its groups. */
export const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map(
  [...new Set(GROUPS.trim().split(/\s+/))].map((word) => [word, othersOf(word)]),
);

function othersOf(word: string): string[] {
  const groups = GROUPS.trim()
    .split('\n')
    .map((line) => line.split(' '))
    .filter((group) => group.includes(word));
  return [...new Set(groups.flat())].filter((other) => other !== word);
}
