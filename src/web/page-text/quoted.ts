import type { InlineRun } from './inline-runs.ts';
import type { TextLine } from './blocks.ts';

/** Quoted words. `lead`: the text before them in their first line, which distinguishes repeated words. */
export type QuotedWords = { quote: string; around: { lead: string } };
export type QuotedRanges = [from: number, to: number][];

/**
 * Ranges to mark in the cited lines: where the quotes are. If a quote is not found, or there are none, all cited lines
 * are marked. Spaces, and the tildes that mark struck-out text in quotes, are ignored in the comparison.
 */
export function quotedRanges(
  lines: readonly TextLine[],
  quotes: readonly QuotedWords[],
): ReadonlyMap<InlineRun, QuotedRanges> {
  const letters = lettersOf(lines);
  const found = quotes.map((quote) => placeOf(quote, letters.text));
  const whole = { from: 0, to: letters.text.length };
  const places = found.flatMap((place) => (place === null ? [] : [place])).toSorted((a, b) => a.from - b.from);
  const ranges = new Map<InlineRun, QuotedRanges>();
  let done = 0;
  for (const { from, to } of places.length === quotes.length && places.length > 0 ? places : [whole]) {
    let before: InlineRun | null = null;
    for (const { run, at } of letters.places.slice(Math.max(from, done), to)) {
      const isNext = before !== null && before !== run;
      if (before !== null && isNext) closeRun(ranges, before);
      const start = isNext && run.text.slice(0, at).trim() === '' ? 0 : at;
      widen(ranges, run, start);
      widen(ranges, run, at);
      before = run;
    }
    done = Math.max(done, to);
  }
  return ranges;
}

type Letters = { text: string; places: { run: InlineRun; at: number }[] };

const IGNORED = /[\s~]/;

/** All compared characters, with their places. A superscript becomes `^2`, as in the stored quotes. */
function lettersOf(lines: readonly TextLine[]): Letters {
  const text: string[] = [];
  const places: Letters['places'] = [];
  for (const { runs } of lines) {
    let wasRaised = false;
    for (const run of runs) {
      const isRaised = run.script === 'sup';
      if (isRaised && !wasRaised) {
        text.push('^');
        places.push({ run, at: 0 });
      }
      wasRaised = isRaised;
      for (let at = 0; at < run.text.length; at += 1) {
        const letter = run.text.charAt(at);
        if (IGNORED.test(letter)) continue;
        text.push(letter);
        places.push({ run, at });
      }
    }
  }
  return { text: text.join(''), places };
}

function placeOf({ quote, around }: QuotedWords, text: string): { from: number; to: number } | null {
  const words = comparedLetters(quote);
  const lead = comparedLetters(around.lead.replace(/^…/, ''));
  const after = text.indexOf(lead + words);
  const from = after < 0 ? text.indexOf(words) : after + lead.length;
  return words === '' || from < 0 ? null : { from, to: from + words.length };
}

function comparedLetters(text: string): string {
  return text.replace(/[\s~]+/g, '');
}

/**
 * Marks a character, and the spaces between it and the last marked character. Other characters in between are not
 * marked.
 */
function widen(ranges: Map<InlineRun, QuotedRanges>, run: InlineRun, at: number): void {
  const own = ranges.get(run);
  const last = own?.at(-1);
  if (own === undefined) ranges.set(run, [[at, at + 1]]);
  else if (last !== undefined && run.text.slice(last[1], at).trim() === '') last[1] = Math.max(last[1], at + 1);
  else own.push([at, at + 1]);
}

/** Also marks the spaces at the end of a run if the quote continues in the next run. */
function closeRun(ranges: Map<InlineRun, QuotedRanges>, run: InlineRun): void {
  const last = ranges.get(run)?.at(-1);
  if (last !== undefined && run.text.slice(last[1]).trim() === '') last[1] = run.text.length;
}
