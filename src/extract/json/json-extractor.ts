import { JSON_INDENT_LEVELS_MAX, DOCUMENT_LINES_MAX } from '#extract/limits.ts';
import { extractorVersion, writePageMark } from '#extract/extractor.ts';
import type { ExtractInput, ExtractedText, Extractor } from '#extract/extractor.ts';
import { codeBlockOfLines, codeBlock } from '#extract/escape.ts';
import { TOO_MANY_LINES_NOTE, splitCitableLines } from '#extract/lines/lines.ts';
import { sanitizeText } from '#core/text/plain.ts';
import { runWithPauses, noPause } from '#core/flow/turns.ts';
import { jsonBlocks, writeBlocks } from './sections.ts';
import type { JsonBlock } from './sections.ts';

/**
 * Extracts JSON, indented by two spaces. Only white space changes: the order of keys and the digits of numbers stay.
 * Long JSON gets a heading for each large key, and very long JSON is read in parts (`#page=2`).
 */
export const jsonExtractor: Extractor = { id: 'json', version: '3', extract: extractJson };

/** A JSON document with at most this many lines becomes one code block. A longer one gets headings. */
const SECTIONS_FROM_LINES = 40;
/**
 * Characters of indented JSON, plus `LINE_CHARS` per line, after which a new part begins. This is three times the
 * length of a long page of prose.
 */
const PART_CHARS_MAX = 750_000;
/** CPU cost of a line, in characters of JSON that take the same time. */
const LINE_CHARS = 12;

async function extractJson(input: ExtractInput): Promise<ExtractedText> {
  const { pause = noPause, isCut = false } = input;
  const source = sanitizeText(input.text).trim();
  const valid = isCut ? /^[{[]/.test(source) : isJson(source);
  await pause();
  if (!valid) return asSent(input, source);
  const indented = indentJson(source);
  await pause();
  const isLong = indented.length > SECTIONS_FROM_LINES;
  const parts = isLong ? partsOf(await runWithPauses(jsonBlocks(indented), pause), indented) : [];
  const total = Math.max(1, parts.length);
  const page = Math.min(Math.max(1, input.firstPage ?? 1), total);
  const part = parts[page - 1];
  const markdown = part === undefined ? codeBlockOfLines(indented, 'json') : writeBlocks(part, indented);
  await pause();
  const mark = total > 1 ? [writePageMark(page), ''] : [];
  const { lines, cuts } = await runWithPauses(splitCitableLines([...mark, ...markdown]), pause);
  const tooLong = indented.length > DOCUMENT_LINES_MAX ? [TOO_MANY_LINES_NOTE] : [];
  return {
    ...WRITTEN,
    lines,
    cuts: [...new Set([...cuts, ...tooLong])],
    explanation: { strategy: isLong ? 'sections' : 'indented', candidates: [] },
    ...(total > 1 ? { pages: { first: page, last: page, total }, pageStarts: new Map([[page, 0]]) } : {}),
  };
}

const WRITTEN = { title: null, language: null, extractor: extractorVersion(jsonExtractor) };

async function asSent({ pause = noPause }: ExtractInput, source: string): Promise<ExtractedText> {
  const { lines, cuts } = await runWithPauses(splitCitableLines(source === '' ? [] : codeBlock(source, '')), pause);
  const broken = source === '' ? [] : ['The body is not valid JSON: it is shown as it was sent.'];
  return { ...WRITTEN, lines, cuts: [...cuts, ...broken], explanation: { strategy: 'as sent', candidates: [] } };
}

function partsOf(blocks: readonly JsonBlock[], lines: readonly string[]): JsonBlock[][] {
  const parts: JsonBlock[][] = [[]];
  let chars = 0;
  for (const block of blocks) {
    if (chars > PART_CHARS_MAX) {
      parts.push([]);
      chars = 0;
    }
    parts.at(-1)?.push(block);
    for (let at = block.from; at <= block.to; at += 1) chars += (lines[at]?.length ?? 0) + LINE_CHARS;
  }
  return parts;
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
 * Indents valid JSON. Does not parse it, because that would round large numbers and lose repeated keys. The output
 * stops soon after `DOCUMENT_LINES_MAX` lines.
 */
export function indentJson(json: string): string[] {
  const lines: string[] = [];
  // Pieces of the current line. Concatenating them one by one would leave each intermediate string in memory.
  let parts: string[] = [];
  let level = 0;
  let isFirst = false;
  const breakLine = (innerLevel: number): boolean => {
    if (innerLevel > JSON_INDENT_LEVELS_MAX) return false;
    lines.push(parts.join(''));
    parts = [INDENTS[level] ?? ''];
    return true;
  };
  for (let at = 0; at < json.length && lines.length <= DOCUMENT_LINES_MAX; at += 1) {
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

/** Returns the position after the closing quote of a string. @param from position of the opening quote */
function stringEnd(json: string, from: number): number {
  for (let at = from + 1; ; at += 1) {
    const code = json.charCodeAt(at);
    if (code === 0x5c) at += 1;
    else if (code === 0x22 || Number.isNaN(code)) return at + 1;
  }
}

function literalEnd(json: string, from: number): number {
  let at = from;
  while (at < json.length && !',]}: \n\r\t'.includes(json.charAt(at))) at += 1;
  return at;
}
