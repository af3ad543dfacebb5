import { CodeFences } from '#core/code-fences.ts';
import { toPlain } from '#core/plain.ts';
import type { Pause } from '#core/turns.ts';
import { visibleText } from '#core/visible-text.ts';
import { folded, needsSpace } from './fold.ts';
import { QUOTE_STEP_CHARS } from './limits.ts';
import { MARK } from './reading-blocks.ts';

/** The lines of a document, a few at a time. */
export type Chunks = AsyncIterable<{ firstLine: number; lines: readonly string[] }>;

/** How lines are compared: as a reader sees them, or as they are stored, with Markdown marks and addresses. */
export type Form = 'read' | 'raw';

/** A line in a form. */
export type FormedLine = { loc: number; text: string };

/** Lines one after the other, folded; `starts`: where each begins in the text. */
export type Reading = { text: string; starts: number[]; lines: FormedLine[] };

/** Turns lines into a form, one after the other: whether one is code depends on those before it. */
export class LineForm {
  readonly #fences = new CodeFences();
  readonly #form: Form;

  constructor(form: Form) {
    this.#form = form;
  }

  take(stored: string): string {
    const line = toPlain(stored);
    if (this.#form === 'raw') return line;
    const wasOpen = this.#fences.open !== null;
    if (this.#fences.take(line)) return wasOpen && this.#fences.open !== null ? line : '';
    return MARK.test(line) ? '' : visibleText(line.replaceAll('<sup>', '^'));
  }
}

const EM_DASH = /\s*[\u2014\u2015]\s*|\s--\s|(?<=[\p{L}\p{N}])--(?=[\p{L}\p{N}])/gu;
const LONG_DASH = /[\u2014\u2015]|--/;
const NOT_ASCII = /[^\x00-\x7f]/;
const SUPERSCRIPTS = /[\u00b9\u00b2\u00b3\u2070\u2074-\u207f]+/g;

/**
 * Text as quotes are compared. Beyond what `find` takes for the same, an em dash has spaces around it, and a raised number
 * stays one: 10² is not 102.
 */
export function foldedQuote(text: string): string {
  // Most lines have neither.
  const spaced = LONG_DASH.test(text) ? text.replace(EM_DASH, ' - ') : text;
  return folded(NOT_ASCII.test(spaced) ? spaced.replace(SUPERSCRIPTS, (run) => `^${run}`) : spaced).trim();
}

/** A whole text in a form, folded. */
export async function readAs(form: Form, chunks: Chunks, pause: Pause): Promise<Reading> {
  const joined = new Joined();
  const lineForm = new LineForm(form);
  let chars = 0;
  for await (const { firstLine, lines } of chunks) {
    for (const [offset, line] of lines.entries()) {
      joined.add({ loc: firstLine + offset, text: lineForm.take(line) });
      chars += line.length;
      if (chars < QUOTE_STEP_CHARS) continue;
      chars = 0;
      await pause();
    }
  }
  return joined.reading();
}

/** A text that is at hand, in a form, folded. */
export function readText(form: Form, text: string): Reading {
  const joined = new Joined();
  const lineForm = new LineForm(form);
  for (const [loc, line] of text.split('\n').entries()) joined.add({ loc, text: lineForm.take(line) });
  return joined.reading();
}

class Joined {
  readonly #parts: string[] = [];
  readonly #starts: number[] = [];
  readonly #lines: FormedLine[] = [];
  #length = 0;

  add(line: FormedLine): void {
    const text = foldedQuote(line.text);
    if (text === '') return;
    const before = this.#parts.at(-1);
    const space = before !== undefined && needsSpace(before, text) ? ' ' : '';
    this.#starts.push(this.#length + space.length);
    this.#lines.push(line);
    this.#parts.push(space + text);
    this.#length += space.length + text.length;
  }

  reading(): Reading {
    return { text: this.#parts.join(''), starts: this.#starts, lines: this.#lines };
  }
}
