import { randomFrom } from '#scripts/docs/scale/random.ts';

/** A page after extraction. */
export type StoredPage = { url: string; title: string; lines: string[] };

const USUAL =
  'the of and to in a is that for it as with on by this from at which or an be are not was when each one only other'.split(
    ' ',
  );
const SYLLABLES = 'ba ko ri ten mo lu sha per din gra vel os tan fi quo men tor ak une str'.split(' ');
/** Different words of all pages; as in real text, a few of them make up most of it. */
const VOCABULARY = 40_000;
const HEADING_EVERY = 12;

export function wordAt(rank: number): string {
  let left = rank + SYLLABLES.length;
  let word = '';
  while (left > 0) {
    word += SYLLABLES[left % SYLLABLES.length] ?? '';
    left = Math.floor(left / SYLLABLES.length);
  }
  return word;
}

/** An ordinary page of one to six kilobytes. The same number gives the same page. */
export function ordinaryPage(number: number): StoredPage {
  const random = randomFrom(number + 1);
  const word = () => {
    const rank = Math.floor(VOCABULARY ** random()) - 1;
    return random() < 0.4 ? (USUAL[rank % USUAL.length] ?? '') : wordAt(rank);
  };
  const words = (count: number) => Array.from({ length: count }, word).join(' ');
  const title = `${words(3)} ${number}`;
  const count = 10 + Math.floor(random() * 50);
  const lines = Array.from({ length: count }, (_, n) => (n % HEADING_EVERY === 0 ? `## ${words(3)}` : `${words(14)}.`));
  return { url: `https://site${number % 997}.example/pages/${number}`, title, lines: [`# ${title}`, ...lines] };
}

/** The word that hostile pages target, and that some ordinary pages have. */
export const ATTACKED = wordAt(700);
const LINE_WORDS = 34;

/** Pages that attack the index, one kind after the other. */
export function hostilePage(number: number): StoredPage {
  const kind = KINDS[number % KINDS.length] ?? repeated;
  return { url: `https://bad${number}.example/page`, ...kind(number) };
}

const KINDS = [repeated, dictionary, stuffed, nearDuplicate, longWords, unspaced];

function repeated(number: number) {
  const line = `${ATTACKED} `.repeat(LINE_WORDS);
  return { title: `${ATTACKED} ${number}`, lines: Array.from({ length: 10_000 }, () => line) };
}

/** Every existing word, and twice as many invented ones. */
function dictionary(number: number) {
  const all = Array.from({ length: 100_000 }, (_, n) => (n < VOCABULARY ? wordAt(n) : `${number}x${n}`));
  return { title: 'All', lines: inLines(all) };
}

function stuffed(number: number) {
  const words = Array.from({ length: 5_000 }, (_, n) => wordAt(n));
  const headings = inLines(words).map((line) => `# ${line}`);
  return { title: [ATTACKED, number, ...words].join(' '), lines: headings };
}

function nearDuplicate(number: number) {
  return { title: `About ${ATTACKED}`, lines: [`# ${ATTACKED}`, `${ATTACKED} and nothing else, copy ${number}.`] };
}

function longWords(number: number) {
  return { title: 'Data', lines: Array.from({ length: 60 }, (_, n) => `${number}${n}${'x'.repeat(30_000)}`) };
}

function unspaced(number: number) {
  const line = Array.from({ length: 80 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 37 + number) % 5_000))).join(
    '',
  );
  return { title: '全文検索', lines: Array.from({ length: 4_000 }, (_, n) => `${line}全文検索${n}`) };
}

function inLines(words: readonly string[]): string[] {
  return Array.from({ length: Math.ceil(words.length / LINE_WORDS) }, (_, n) =>
    words.slice(n * LINE_WORDS, (n + 1) * LINE_WORDS).join(' '),
  );
}
