/**
 * The stem of an English word by M. F. Porter's rules (1980): "running", "runs" and "run" have the same one. Words of
 * other languages come out a little shorter, the same way wherever they stand. Pure.
 *
 * @param word lower case letters a to z
 */
export function stem(word: string): string {
  if (word.length < 3) return word;
  const base = replaced(replaced(finalY(pastAndProgressive(plural(word))), LONG), MEDIUM);
  return doubleL(finalE(ending(base)));
}

/** A `y` is a vowel behind a consonant. */
const CONSONANT = '(?:[^aeiouy]|(?<=^|[aeiou])y)';
const VOWEL = '(?:[aeiou]|(?<=[^aeiou])y)';
const MEASURED = new RegExp(`^${CONSONANT}*(?:${VOWEL}+${CONSONANT}+)`);
const MEASURED_TWICE = new RegExp(`^${CONSONANT}*(?:${VOWEL}+${CONSONANT}+){2}`);
const MEASURED_ONCE = new RegExp(`^${CONSONANT}*${VOWEL}+${CONSONANT}+${VOWEL}*$`);
const WITH_VOWEL = new RegExp(VOWEL);
const SHORT = new RegExp(`${CONSONANT}${VOWEL}(?![wxy])${CONSONANT}$`);
const DOUBLED = /([^aeioulsz])\1$/;

function plural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function pastAndProgressive(word: string): string {
  if (word.endsWith('eed')) return MEASURED.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
  const base = word.replace(/(?:ed|ing)$/, '');
  if (base === word || !WITH_VOWEL.test(base)) return word;
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`;
  if (DOUBLED.test(base)) return base.slice(0, -1);
  return MEASURED_ONCE.test(base) && SHORT.test(base) ? `${base}e` : base;
}

function finalY(word: string): string {
  return word.endsWith('y') && WITH_VOWEL.test(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word;
}

const LONG = suffixes({
  ational: 'ate',
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  izer: 'ize',
  bli: 'ble',
  alli: 'al',
  entli: 'ent',
  eli: 'e',
  ousli: 'ous',
  ization: 'ize',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  iveness: 'ive',
  fulness: 'ful',
  ousness: 'ous',
  aliti: 'al',
  iviti: 'ive',
  biliti: 'ble',
  logi: 'log',
});
const MEDIUM = suffixes({ icate: 'ic', ative: '', alize: 'al', iciti: 'ic', ical: 'ic', ful: '', ness: '' });

type Suffixes = readonly (readonly [suffix: string, replacement: string])[];

/** The longest suffix is tried, and no other. */
function suffixes(table: Readonly<Record<string, string>>): Suffixes {
  return Object.entries(table).sort(([a], [b]) => b.length - a.length);
}

function replaced(word: string, table: Suffixes): string {
  const found = table.find(([suffix]) => word.endsWith(suffix));
  if (found === undefined) return word;
  const [suffix, replacement] = found;
  const base = word.slice(0, -suffix.length);
  return MEASURED.test(base) ? base + replacement : word;
}

const ENDING = /(?:al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|(?<=[st])ion|ou|ism|ate|iti|ous|ive|ize)$/;

function ending(word: string): string {
  const base = word.replace(ENDING, '');
  return base !== word && MEASURED_TWICE.test(base) ? base : word;
}

function finalE(word: string): string {
  if (!word.endsWith('e')) return word;
  const base = word.slice(0, -1);
  const goes = MEASURED_TWICE.test(base) || (MEASURED.test(base) && !(MEASURED_ONCE.test(base) && SHORT.test(base)));
  return goes ? base : word;
}

function doubleL(word: string): string {
  return word.endsWith('ll') && MEASURED_TWICE.test(word.slice(0, -1)) ? word.slice(0, -1) : word;
}
