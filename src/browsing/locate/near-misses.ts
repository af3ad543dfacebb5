import { PeriscopeError } from '#core/failures/failure.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import type { ElementRefs } from '#browsing/refs/refs.ts';
import { cutAroundMatch } from '#browsing/view/find.ts';
import { scanPage } from '#browsing/view/view.ts';
import { leadingElement, writeWithoutRefs, writeWords } from '#browsing/view/view-line.ts';
import type { ViewLine } from '#browsing/view/view-line.ts';
import { toComparableText } from '#browsing/view/words.ts';
import { fenceText } from './find.ts';
import type { Locator } from './named.ts';

/** Maximum lines listed in an error, few enough for a model to compare. */
const LINES_SHOWN_MAX = 6;
const LINE_CHARS_MAX = 160;
/** Maximum words of a target that are searched. The first words of a longer target are enough. */
const WORDS_MAX = 12;
/** Minimum score of a listed line, as a share of the best line's score. */
const SHARE_OF_BEST_MIN = 0.25;

type NearMisses = {
  /** The lines of the page that contain some words of the target, fenced as page text; `undefined` for none. */
  near: string | undefined;
  count: number;
  /** The word of the target that the fewest lines of the page contain; `undefined` if no line has any. */
  word: string | undefined;
};

/**
 * The lines of a page that match the words of a target best, in any word order. Rare words count more than common ones.
 * @returns `null` when the target has no words, or the page cannot be read
 */
export async function findNearMisses(
  target: string,
  named: Locator | null,
  tab: Tab,
  refs: ElementRefs,
  signal: AbortSignal,
): Promise<NearMisses | null> {
  const words = wordsIn(named === null ? valuesOfSelector(target) : `${named.words} ${named.within ?? ''}`);
  if (words.length === 0) return null;
  try {
    const { lines } = await scanPage(tab, refs, null, {}, signal);
    const { best, count, word } = bestLines(lines, words, named?.by === 'role' ? named.role : '');
    return { near: best.length === 0 ? undefined : await fenceText(best.map(shown).join('\n')), count, word };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof PeriscopeError)) throw error;
    return null;
  }

  function shown(line: ViewLine): string {
    const text = toComparableText(writeWords(line));
    const places = words.map((one) => text.indexOf(one)).filter((place) => place >= 0);
    return writeWords(cutAroundMatch(line, Math.min(...places), LINE_CHARS_MAX));
  }
}

function bestLines(lines: readonly ViewLine[], words: readonly string[], role: string) {
  const holding = lines.map((line) => {
    const text = toComparableText(writeWithoutRefs(line));
    return words.filter((word) => holds(text, word));
  });
  const counts = new Map(words.map((word) => [word, holding.filter((held) => held.includes(word)).length]));
  const scored = lines.flatMap((line, at) => {
    const held = holding[at] ?? [];
    const score = held.reduce((sum, word) => sum + 1 / (counts.get(word) ?? 1), 0);
    const isOfRole = role !== '' && leadingElement(line)?.role === role;
    return score === 0 ? [] : [{ line, at, score: isOfRole ? score * ROLE_FACTOR : score }];
  });
  const ranked = scored.toSorted((one, other) => other.score - one.score || one.at - other.at);
  const least = (ranked[0]?.score ?? 0) * SHARE_OF_BEST_MIN;
  const near = ranked.filter(({ score }) => score >= least);
  const best = near.slice(0, LINES_SHOWN_MAX).toSorted((one, other) => one.at - other.at);
  const [word] = words
    .filter((one) => (counts.get(one) ?? 0) > 0)
    .toSorted((one, other) => (counts.get(one) ?? 0) - (counts.get(other) ?? 0));
  return { best: best.map(({ line }) => line), count: near.length, word };
}

/** Factor by which the wanted role raises the score of a line. */
const ROLE_FACTOR = 1.5;

/**
 * True if the text contains the word. Short words must match as whole words, because "to", for example, occurs inside
 * many others.
 */
function holds(text: string, word: string): boolean {
  if (word.length >= PART_CHARS_MIN || !WRITTEN_WITH_SPACES.test(word)) return text.includes(word);
  return text.split(NO_WORD).includes(word);
}

const PART_CHARS_MIN = 3;
const WRITTEN_WITH_SPACES = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]/u;
const NO_WORD = /[^\p{L}\p{N}]+/u;

function wordsIn(text: string): string[] {
  return [...new Set(toComparableText(text).split(NO_WORD))].filter((word) => word !== '').slice(0, WORDS_MAX);
}

/** Ids, classes and attribute values of a CSS selector. Names of tags and attributes are too common to search for. */
function valuesOfSelector(selector: string): string {
  return [...selector.matchAll(SELECTOR_VALUES)].map(([, name = '', value = '']) => `${name} ${value}`).join(' ');
}

const SELECTOR_VALUES = /[#.]([\p{L}\p{N}_-]+)|=\s*["']?([^"'\]]+)/gu;
