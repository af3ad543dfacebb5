/** Pairs of letters that words of European languages are made of: five of six pairs of a text, one of four of a random one. */
const PAIRS_OF_WORDS = new Set(
  'th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un lo wa ge ie wh ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl ig tu ev ld ry mp fe bl ab gh ty op wo sa ay ex ke ov ap if sp do uc bu ei by rm ep tt oc ef cu rn sc gi da cr cl du ue ff ba ey ls va um pp up lu go ug ds lt ck ew br bi pt ak pu ui ib ph my sz cz rz zy ze za ka ko sk dz sc hr'.split(
    ' ',
  ),
);

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/i;
/** From here on nobody guesses it: 15 characters of 36 kinds are 77 bits. */
const UNGUESSABLE_CHARS = 15;
/** With `-` and `_` inside, which tokens have and titles in addresses, too, more is asked for. */
const UNGUESSABLE_CHARS_WITH_DASHES = 20;
const DASHED = /^[\w-]+$/;

/**
 * Whether a machine generated the text so that nobody can guess it: a UUID, or a long run of letters and digits that
 * are not words. Numbers alone do not count, because counters and dates are numbers. Pure; linear.
 */
export function looksUnguessable(text: string): boolean {
  if (UUID.test(text)) return true;
  if (wordsOf(text).some((word) => isLong(word, UNGUESSABLE_CHARS) && wordShare(word) < WORD_SHARE_MIN)) return true;
  if (!isLong(text.replace(/[-_]/g, ''), UNGUESSABLE_CHARS_WITH_DASHES)) return false;
  return DASHED.test(text) && wordShare(text) < WORD_SHARE_OF_DASHED_MIN;
}

/** What repeats a few characters is not long, however many there are. */
function isLong(text: string, chars: number): boolean {
  return text.length >= chars && new Set(text.toLowerCase()).size >= CHARACTERS_MIN;
}

const CHARACTERS_MIN = 6;

/** The same for a shorter text, where its place says already that it may be a secret. */
export function looksMadeUp(text: string): boolean {
  if (looksUnguessable(text)) return true;
  const longest = Math.max(0, ...wordsOf(text).map((word) => word.length));
  return longest >= MADE_UP_CHARS && wordShare(text) < WORD_SHARE_MIN;
}

const MADE_UP_CHARS = 6;
const WORD_SHARE_MIN = 0.5;
const WORD_SHARE_OF_DASHED_MIN = 0.35;
/**
 * The fewest characters for each pair that does not occur in words. With more characters a pair, the text is a number
 * with letters before it.
 */
const CHARS_PER_ODD_PAIR_MAX = 4;

function wordsOf(text: string): string[] {
  return text.match(/[a-z\d]+/gi) ?? [];
}

/**
 * The share of pairs of neighbouring characters that occur in words, from 0 to 1. Two digits tell nothing. A digit
 * beside a letter, or a capital after a small letter, is rare in words.
 */
function wordShare(text: string): number {
  let ofWords = 0;
  let odd = 0;
  for (let at = 0; at + 1 < text.length; at += 1) {
    const pair = text.slice(at, at + 2);
    if (!LETTERS_OR_DIGITS.test(pair) || DIGITS.test(pair)) continue;
    if (!CAPITAL_INSIDE.test(pair) && PAIRS_OF_WORDS.has(pair.toLowerCase())) ofWords += 1;
    else odd += 1;
  }
  return odd * CHARS_PER_ODD_PAIR_MAX < text.length ? 1 : ofWords / (ofWords + odd);
}

const LETTERS_OR_DIGITS = /^[a-z\d]{2}$/i;
const DIGITS = /^\d\d$/;
const CAPITAL_INSIDE = /^[a-z][A-Z]$/;
