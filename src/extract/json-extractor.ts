import { JSON_INDENT_LEVELS_MAX, LINES_MAX } from './limits.ts';
import { identityOf } from './extractor.ts';
import type { ExtractInput, Extracted, Extractor } from './extractor.ts';
import { codeBlockOfLines, codeBlock } from './escape.ts';
import { toLines } from './lines/lines.ts';
import { toPlain } from '#core/text/plain.ts';
import { inShares, noPause } from '#core/flow/turns.ts';

/** JSON, indented by two spaces. Only white space changes: the order of keys and the digits of numbers stay. */
export const jsonExtractor: Extractor = { id: 'json', version: '2', extract: extractJson };

async function extractJson(input: ExtractInput): Promise<Extracted> {
  const { pause = noPause } = input;
  const source = toPlain(input.text).trim();
  const valid = isJson(source);
  await pause();
  const shown = valid ? codeBlockOfLines(indentJson(source), 'json') : codeBlock(source, '');
  const markdown = source === '' ? [] : shown;
  await pause();
  const { lines, cuts } = await inShares(toLines(markdown), pause);
  return {
    title: null,
    language: null,
    lines,
    extractor: identityOf(jsonExtractor),
    cuts: valid || source === '' ? cuts : [...cuts, 'The body is not valid JSON: it is shown as it was sent.'],
    explanation: { strategy: valid ? 'indented' : 'as sent', candidates: [] },
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const INDENTS = Array.from({ length: JSON_INDENT_LEVELS_MAX + 1 }, (_, level) => '  '.repeat(level));
const SPACE = 0x20;

/**
 * The lines of valid JSON, indented again. Parsing it would round large numbers and lose repeated keys. So everything
 * between brackets, commas and colons is copied without the white space around it. Lines are made one by one, because
 * there may be millions. Those that no document could hold are not made.
 */
export function indentJson(json: string): string[] {
  const lines: string[] = [];
  // Parts of a line that are added one by one would each stay in memory.
  let parts: string[] = [];
  let level = 0;
  let isFirst = false;
  const breakLine = (innerLevel: number): boolean => {
    if (innerLevel > JSON_INDENT_LEVELS_MAX) return false;
    lines.push(parts.join(''));
    parts = [INDENTS[level] ?? ''];
    return true;
  };
  for (let at = 0; at < json.length && lines.length <= LINES_MAX; at += 1) {
    const code = json.charCodeAt(at);
    if (code <= SPACE) continue;
    const character = json.charAt(at);
    if (character === '}' || character === ']') {
      level -= 1;
      if (!isFirst) breakLine(level + 1);
      parts.push(character);
      isFirst = false;
      continue;
    }
    if (isFirst) breakLine(level);
    isFirst = character === '{' || character === '[';
    if (isFirst) level += 1;
    if (isFirst || character === ':') parts.push(isFirst ? character : ': ');
    else if (character === ',') {
      parts.push(',');
      if (!breakLine(level)) parts.push(' ');
    } else {
      const end = character === '"' ? stringEnd(json, at) : literalEnd(json, at);
      parts.push(json.slice(at, end));
      at = end - 1;
    }
  }
  lines.push(parts.join(''));
  return lines;
}

/** @param from the position of the opening quote */
function stringEnd(json: string, from: number): number {
  for (let at = from + 1; ; at += 1) {
    const code = json.charCodeAt(at);
    if (code === 0x5c) at += 1;
    else if (code === 0x22 || Number.isNaN(code)) return at + 1;
  }
}

/** The end of a number, `true`, `false` or `null`. */
function literalEnd(json: string, from: number): number {
  let at = from;
  while (at < json.length && !',]}: \n\r\t'.includes(json.charAt(at))) at += 1;
  return at;
}
