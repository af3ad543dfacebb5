import { stemIn } from '#core/text/languages.ts';
import type { Language } from '#core/text/stop-words.ts';

/**
 * Words of documentation that say the same. A question in one of them also finds the others, at half their worth. General on
 * purpose: a word of one trade does not belong here.
 */
const GROUPS: Partial<Record<Language, string>> = {
  english: `
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
`,
};

/** The stems of words that say the same as one, in texts of this language. @param stem as texts of this language have it */
export function synonymsOf(stem: string, language: Language): readonly string[] {
  let known = STEMS.get(language);
  if (known === undefined) STEMS.set(language, (known = stemGroups(language)));
  return known.get(stem) ?? [];
}

const STEMS = new Map<Language, ReadonlyMap<string, readonly string[]>>();

function stemGroups(language: Language): ReadonlyMap<string, readonly string[]> {
  const others = new Map<string, Set<string>>();
  for (const line of (GROUPS[language] ?? '').trim().split('\n')) {
    const group = line.split(' ').map((word) => stemIn(word, language));
    for (const stem of group) others.set(stem, new Set([...(others.get(stem) ?? []), ...group]));
  }
  return new Map([...others].map(([stem, group]) => [stem, [...group].filter((other) => other !== stem)]));
}
