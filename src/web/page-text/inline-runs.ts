import {
  LINK_TARGET_CHARS_MAX,
  matchParentheses,
  isInvisibleMarkup,
  BACKTICK_RUN_CHARS_MAX,
  findInlineMark,
  KEPT_HTML_TAG,
  INLINE_HTML_TAG_CHARS_MAX,
} from '#core/text/visible-text.ts';

export type InlineRun = {
  text: string;
  isStrong: boolean;
  isEm: boolean;
  isStruck: boolean;
  isCode: boolean;
  script: 'sub' | 'sup' | null;
  /** URL of the link as written in the Markdown, so perhaps relative. */
  link: string | null;
  /** URL of the picture for which this text is the alternative. */
  picture: string | null;
};

type Switch = 'isStrong' | 'isEm' | 'isStruck';
type Token =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'switch'; of: Switch }
  | { kind: 'tag'; of: 'sub' | 'sup' | 'code'; opens: boolean }
  | { kind: 'break' }
  | { kind: 'open'; address: string | null; isPicture: boolean }
  | { kind: 'close' };

/**
 * Splits a Markdown line outside code blocks into runs of equal format, without Markdown marks. Apart from spaces,
 * their texts together equal `visibleText`. Raw HTML is text. Takes linear time.
 * @param isCell true for a cell of a table, in which `\|` is an escaped bar
 */
export function inlineRuns(line: string, isCell = false): InlineRun[] {
  return runsOf(tokensOf(line, isCell));
}

export const PLAIN_RUN: Omit<InlineRun, 'text'> = {
  isStrong: false,
  isEm: false,
  isStruck: false,
  isCode: false,
  script: null,
  link: null,
  picture: null,
};

function tokensOf(text: string, isCell: boolean): Token[] {
  const tokens: Token[] = [];
  const brackets: number[] = [];
  const addressEnds = text.includes('](') ? matchParentheses(text) : new Map<number, number>();
  for (let at = 0; at < text.length;) {
    const next = findInlineMark(text, at);
    if (next > at) tokens.push({ kind: 'text', text: text.slice(at, next) });
    if (next === text.length) break;
    at = next;
    const mark = text.charAt(at);
    if (mark === '\\') {
      const isEscape = /[!-/:-@[-`{-~]/.test(text.charAt(at + 1));
      if (isEscape) tokens.push({ kind: 'text', text: text.charAt(at + 1) });
      else if (at + 1 < text.length) tokens.push({ kind: 'text', text: mark });
      at += isEscape ? 2 : 1;
    } else if (mark === '`') {
      at = takeCode(text, at, isCell, tokens);
    } else if (mark === '[') {
      brackets.push(tokens.length);
      tokens.push({ kind: 'open', address: null, isPicture: false });
      at += 1;
    } else if (mark === ']') {
      const end = text.charAt(at + 1) === '(' ? addressEnds.get(at + 1) : undefined;
      at = takeBracketEnd(text, at, end, brackets, tokens);
    } else if (mark === '<' && KEPT_HTML_TAG.test(text.slice(at, at + INLINE_HTML_TAG_CHARS_MAX))) {
      const end = text.indexOf('>', at);
      tokens.push(tagOf(text.slice(at + 1, end)));
      at = end + 1;
    } else {
      at = takeMarks(text, at, tokens);
    }
  }
  return tokens;
}

function takeCode(text: string, at: number, isCell: boolean, tokens: Token[]): number {
  const ticks = /^`+/.exec(text.slice(at, at + BACKTICK_RUN_CHARS_MAX))?.[0] ?? '`';
  const from = at + ticks.length;
  const end = text.indexOf(ticks, from);
  if (end < 0) {
    tokens.push({ kind: 'text', text: ticks });
    return from;
  }
  const code = text.slice(from, end).replace(/^ (`.*`) $/, '$1');
  tokens.push({ kind: 'code', text: isCell ? code.replaceAll('\\|', '|') : code });
  return end + ticks.length;
}

function takeBracketEnd(
  text: string,
  at: number,
  end: number | undefined,
  brackets: number[],
  tokens: Token[],
): number {
  const opened = brackets.pop();
  if (opened === undefined || end === undefined || end - at > LINK_TARGET_CHARS_MAX) {
    tokens.push({ kind: 'text', text: ']' });
    return at + 1;
  }
  const before = tokens[opened - 1];
  const isPicture = before?.kind === 'text' && before.text === '!';
  if (isPicture) before.text = '';
  tokens[opened] = { kind: 'open', address: text.slice(at + 2, end - 1), isPicture };
  tokens.push({ kind: 'close' });
  return end;
}

function tagOf(tag: string): Token {
  const name = tag.replace('/', '');
  if (name !== 'sub' && name !== 'sup' && name !== 'code') return { kind: 'break' };
  return { kind: 'tag', of: name, opens: !tag.startsWith('/') };
}

/** Reads consecutive `*`, `_` or `~`, which switch a format or, as in `2 * 3`, are text. */
function takeMarks(text: string, from: number, tokens: Token[]): number {
  const mark = text.charAt(from);
  let at = from;
  while (text.charAt(at) === mark && isInvisibleMarkup(text, at, false)) at += 1;
  const count = at - from;
  if (count === 0) {
    tokens.push({ kind: 'text', text: mark });
    return from + 1;
  }
  if (mark === '~') tokens.push({ kind: 'switch', of: 'isStruck' });
  else {
    if (count % 2 === 1) tokens.push({ kind: 'switch', of: 'isEm' });
    if (count > 1) tokens.push({ kind: 'switch', of: 'isStrong' });
  }
  return at;
}

function runsOf(tokens: readonly Token[]): InlineRun[] {
  const runs: InlineRun[] = [];
  const links: Pick<InlineRun, 'link' | 'picture'>[] = [];
  let style = PLAIN_RUN;
  const add = (text: string, isCode = style.isCode) => {
    if (text === '') return;
    const run = { ...style, text, isCode, ...(links.at(-1) ?? NO_LINK) };
    const last = runs.at(-1);
    if (last !== undefined && isSetAlike(last, run)) last.text += text;
    else runs.push(run);
  };
  for (const token of tokens) {
    if (token.kind === 'text') add(token.text);
    else if (token.kind === 'code') add(token.text, true);
    else if (token.kind === 'break') add('\n');
    else if (token.kind === 'switch') style = { ...style, [token.of]: !style[token.of] };
    else if (token.kind === 'tag')
      style =
        token.of === 'code' ? { ...style, isCode: token.opens } : { ...style, script: token.opens ? token.of : null };
    else if (token.kind === 'close') links.pop();
    else if (token.address === null) add('[');
    else links.push({ ...(links.at(-1) ?? NO_LINK), [token.isPicture ? 'picture' : 'link']: token.address });
  }
  return runs;
}

const NO_LINK = { link: null, picture: null };

function isSetAlike(one: InlineRun, other: InlineRun): boolean {
  return (
    one.isStrong === other.isStrong &&
    one.isEm === other.isEm &&
    one.isStruck === other.isStruck &&
    one.isCode === other.isCode &&
    one.script === other.script &&
    one.link === other.link &&
    one.picture === other.picture
  );
}
