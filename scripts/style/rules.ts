/** The writing rules that a program can check. `docs/glossary.md` has the words. */

export type Fault = { rule: RuleName; line: number; text: string };
export type RuleName = 'headless comment' | 'headless text' | 'phrase' | 'long sentence';

const HEADLESS = /^(?:What|Whether|How|Of|Those|Whose|Whoever)\b/;
/** Phrases that are hard to read, each with words to use instead. */
const PHRASES: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\b(?:is|are) told\b/i, 'is shown, is reported'],
  [/\bis called so\b/i, 'has this name'],
  [/\bso called\b/i, 'with this name'],
  [/\bmade anew\b/i, 'rebuilt'],
  [/\banew\b/i, 'again'],
  [/\bonce more\b/i, 'again'],
  [/\bgoes on\b/i, 'continues'],
  [/\bgo on\b/i, 'continue'],
  [/\bby itself\b/i, 'automatically, on its own page'],
  [/\bthe one you mean\b/i, 'name the element'],
  [/\bstands? (?:in|at|on|there|elsewhere|nowhere)\b/i, 'is in'],
  [/\bbeside (?:it|them|this|that)\b/i, 'compared with, next to'],
  [/\bat whatever\b/i, 'name the thing'],
  [/\bwhatever has\b/i, 'name the thing'],
  [/\btakes all of it\b/i, 'accepts the full value'],
  [/\bis kept for\b/i, 'is stored for'],
  [/\bnobody can\b/i, 'cannot be'],
  [/\bas many as (?:it|one|they) may\b/i, 'the limit of'],
  [/\bwhat is there\b/i, 'the current'],
  [/\bends what is\b/i, 'stops'],
  [/\bin turn\b/i, 'one at a time'],
  [/\bsomebody\b/i, 'someone, or name the role'],
  [/\ball the same\b/i, 'anyway'],
];
const SENTENCE_WORDS_MAX = 30;
/** Shorter strings are mostly names and parts of markup. */
const TEXT_WORDS_MIN = 4;

/** Faults of a source file: the opening of its comments, and the sentences in its strings. */
export function faultsOfSource(text: string): Fault[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const number = index + 1;
    const comment = commentStart(line, lines[index - 1] ?? '');
    if (comment !== null)
      return HEADLESS.test(comment) ? [{ rule: 'headless comment', line: number, text: comment }] : [];
    if (isComment(line)) return [];
    const texts = [...textsInStrings(line), ...textInMarkup(line)];
    return [
      ...texts.flatMap((words) => phraseFaults(words, number)),
      ...texts.filter((words) => /^[A-Z]/.test(words)).flatMap((sentence) => sentenceFaults(sentence, number)),
    ];
  });
}

/** Faults in the comments of a file outside of `src`, whose texts may be those of pages and attackers. */
export function faultsOfComments(text: string): Fault[] {
  return faultsOfSource(text).filter(({ rule }) => rule === 'headless comment');
}

/** Faults of a Markdown document, without its code blocks, tables and headings. */
export function faultsOfDocument(text: string): Fault[] {
  return paragraphsOf(text).flatMap(({ line, words }) =>
    words
      .join(' ')
      .split(/(?<=[.:!?])\s+(?=[A-Z`])/)
      .filter((sentence) => wordCount(sentence) > SENTENCE_WORDS_MAX)
      .map((sentence) => ({ rule: 'long sentence' as const, line, text: sentence })),
  );
}

function paragraphsOf(text: string): { line: number; words: string[] }[] {
  const paragraphs: { line: number; words: string[] }[] = [];
  let isCode = false;
  let isOpen = false;
  for (const [index, line] of text.split('\n').entries()) {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    const isProse = !isFence && !isCode && !/^\s*(?:$|[|#<])/.test(line);
    if (!isProse || /^\s*(?:[-*]|\d+\.)\s/.test(line)) isOpen = false;
    if (!isProse) continue;
    if (isOpen) paragraphs.at(-1)?.words.push(line.trim());
    else paragraphs.push({ line: index + 1, words: [line.trim()] });
    isOpen = true;
  }
  return paragraphs;
}

function phraseFaults(words: string, line: number): Fault[] {
  return PHRASES.filter(([phrase]) => phrase.test(words)).map(([, instead]) => ({
    rule: 'phrase' as const,
    line,
    text: `${words} (${instead})`,
  }));
}

function sentenceFaults(sentence: string, line: number): Fault[] {
  const openings = sentence.split(/(?<=[.!?])\s+/).filter((part) => HEADLESS.test(part) && !part.endsWith('?'));
  return [
    ...openings.map((text) => ({ rule: 'headless text' as const, line, text })),
    ...(longest(sentence) > SENTENCE_WORDS_MAX ? [{ rule: 'long sentence' as const, line, text: sentence }] : []),
  ];
}

function longest(text: string): number {
  return Math.max(...text.split(/(?<=[.:;!?])\s+/).map(wordCount));
}

function wordCount(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** The first words of a comment that begins on this line; `null` if none does. */
function commentStart(line: string, before: string): string | null {
  const block =
    /^\s*\/\*\*?\s+(.+)$/.exec(line)?.[1] ??
    (/^\s*\/\*\*\s*$/.test(before) ? /^\s*\*\s+(.+)$/.exec(line)?.[1] : undefined);
  const own = /^\s*\/\/\s+(.+)$/.exec(line)?.[1];
  return block ?? (own !== undefined && !/^\s*\/\//.test(before) ? own : null);
}

function isComment(line: string): boolean {
  return /^\s*(?:\*|\/\/|\/\*)/.test(line);
}

/** Strings of at least four words that are not SQL. */
function textsInStrings(line: string): string[] {
  return [...line.matchAll(/'((?:[^'\\]|\\.)*)'|`([^`]*)`|"((?:[^"\\]|\\.)*)"/g)]
    .map(([, single, template, double]) => single ?? template ?? double ?? '')
    .filter(
      (text) => wordCount(text) >= TEXT_WORDS_MIN && !/\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|WHERE)\b/.test(text),
    );
}

/** A line of text between the tags of a page. */
function textInMarkup(line: string): string[] {
  const text = /^\s+(\p{L}[^={};()]*)$/u.exec(line)?.[1] ?? '';
  return wordCount(text) >= TEXT_WORDS_MIN && !/\b(?:const|import|return|export|function|type)\b/.test(text)
    ? [text]
    : [];
}
