import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import * as z from 'zod';
import type { Caller } from '../attack/wire.ts';
import type { Fact } from './facts.ts';
import { answerOf, squeezed } from './page-text.ts';

/** `byAnchor`: the reader has a link to the nearest place with a name. */
export type Question = Fact & { url: string; package: string; byAnchor: boolean };

export type Asked = {
  question: Question;
  isAnswered: boolean;
  calls: number;
  tokens: number;
  /** Each call with its arguments. */
  trail: string[];
  /** The message of a tool that failed. */
  failure: string | null;
};

const CALLS_MAX = 6;
/** Calls to open a later part of a long page and to search it. */
const CALLS_PER_PART = 2;
const NEXT_PART = /then find in the next part: open_url (\{[^}]*\})/;
const MATCHES_TRIED = 2;
const PATTERN_CHARS_MAX = 80;

/**
 * Answers a question with the calls that a model makes: open the page, search for the term, go to it, search for the
 * other words of the question, read on. It knows the question, and stops when a tool has shown the answer.
 */
export async function ask(caller: Caller, question: Question): Promise<Asked> {
  const session = new Session(caller, question);
  await session.run().catch((error: unknown) => {
    if (!(error instanceof Done)) throw error;
  });
  return session.asked;
}

/** Thrown when the answer was shown, or no call is left. */
class Done extends Error {}

type Match = { loc: number; preview: string };

class Session {
  readonly asked: Asked;
  readonly #caller: Caller;
  readonly #answer: string;
  #cursor = '';
  #callsMax = CALLS_MAX;

  constructor(caller: Caller, question: Question) {
    this.#caller = caller;
    this.#answer = squeezed(answerOf(question.answer) ?? '');
    this.asked = { question, isAnswered: false, calls: 0, tokens: 0, trail: [], failure: null };
  }

  async run(): Promise<void> {
    const { url, anchor, about, cue, kind, byAnchor } = this.asked.question;
    const isPlace = byAnchor || kind === 'place' || kind === 'footnote';
    const opened = await this.#call('open_url', { url: isPlace && anchor !== null ? `${url}#${anchor}` : url });
    this.#cursor = /^Cursor: (\S+)$/m.exec(opened)?.[1] ?? '';
    const outlined = outlineLine(opened, about);
    if (outlined !== null) await this.#scroll(outlined);
    for (const pattern of [about, cue]) {
      if (pattern === '' || (pattern === about && outlined !== null)) continue;
      for (const { loc } of (await this.#find(pattern)).slice(0, MATCHES_TRIED)) await this.#scroll(loc);
    }
    const words = about.split(/\s+/).toSorted((a, b) => b.length - a.length);
    for (const { loc } of (await this.#find(words[0] ?? about)).slice(0, 1)) await this.#scroll(loc);
    await this.#call('scroll', { cursor: this.#cursor, delta: 80, num_lines: 200 });
  }

  /** Matches, exact ones first. In a long page, those of the first part that has any. */
  async #find(words: string): Promise<Match[]> {
    const pattern = words.slice(0, PATTERN_CHARS_MAX);
    const text = await this.#call('find', { cursor: this.#cursor, pattern });
    const next = NEXT_PART.exec(text)?.[1];
    if (next !== undefined && !/^L\d+: /m.test(text)) {
      this.#callsMax += CALLS_PER_PART;
      const opened = await this.#call('open_url', {
        ...z.object({ url: z.string() }).parse(JSON.parse(next)),
        num_lines: 20,
      });
      this.#cursor = /^Cursor: (\S+)$/m.exec(opened)?.[1] ?? '';
      return this.#find(words);
    }
    const found = [...text.matchAll(/^L(\d+): (.*)$/gm)].map(([, loc, preview = '']) => ({
      loc: Number(loc),
      preview,
    }));
    const isIt = ({ preview }: Match) => squeezed(preview) === squeezed(pattern);
    return [...found.filter(isIt), ...found.filter((match) => !isIt(match))];
  }

  #scroll(loc: number): Promise<string> {
    return this.#call('scroll', { cursor: this.#cursor, loc });
  }

  async #call(tool: string, args: Record<string, unknown>): Promise<string> {
    if (this.asked.calls >= this.#callsMax) throw new Done();
    const { text, isRefused, body } = await this.#caller.call(tool, args, '?toolsets=reader&structured=off');
    this.asked.calls += 1;
    this.asked.tokens += countTokens(text);
    this.asked.trail.push(`${tool} ${JSON.stringify({ ...args, cursor: undefined })}`);
    if (isRefused) {
      this.asked.failure = text === '' ? body : text;
      throw new Done();
    }
    if (shows(text, this.#answer)) {
      this.asked.isAnswered = true;
      throw new Done();
    }
    return text;
  }
}

const ADDRESS = /\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s"[^"]*")?\)/g;

/** True if the numbered lines of an answer show a text, with or without the addresses of links. */
export function shows(text: string, wanted: string): boolean {
  const lines = (text.match(/^L\d+: .*$/gm) ?? []).map((line) => line.replace(/^L\d+: /, '')).join('\n');
  return squeezed(lines.replace(ADDRESS, ']')).includes(wanted) || squeezed(lines).includes(wanted);
}

/** The line that the outline gives for a heading. */
function outlineLine(opened: string, about: string): number | null {
  const outline = /^Outline:\n((?:L\d+: .*\n)+)/m.exec(opened)?.[1] ?? '';
  for (const [, line, text = ''] of outline.matchAll(/^L(\d+): (.*)$/gm)) {
    if (squeezed(text) === squeezed(about)) return Number(line);
  }
  return null;
}
