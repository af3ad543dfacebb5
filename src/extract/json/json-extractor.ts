import { JSON_INDENT_LEVELS_MAX, DOCUMENT_LINES_MAX } from '#extract/limits.ts';
import { extractorVersion, writePageMark } from '#extract/extractor.ts';
import type { ExtractInput, ExtractedText, Extractor } from '#extract/extractor.ts';
import { codeBlockOfLines, codeBlock, escapeInline, PLAIN_CONTEXT } from '#extract/escape.ts';
import { TOO_MANY_LINES_NOTE, splitCitableLines } from '#extract/lines/lines.ts';
import { sanitizeText } from '#core/text/plain.ts';
import { runWithPauses, noPause } from '#core/flow/turns.ts';
import type { WorkSteps } from '#core/flow/turns.ts';
import { parseJson } from '#core/text/json.ts';
import { oneLine } from '#core/text/text.ts';

/**
 * Extracts JSON, indented by two spaces. The order of keys and the digits of numbers stay; of the escapes in strings,
 * only those of visible characters outside ASCII are replaced.
 * Long JSON gets a heading for each large key, and very long JSON is read in parts (`#page=2`).
 */
export const jsonExtractor: Extractor = { id: 'json', version: '4', extract: extractJson };

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
      parts.push(withLetters(json.slice(at, end)));
      at = end - 1;
    }
  }
  lines.push(parts.join(''));
  return lines;
}

const ESCAPES = /(?:\\u[\dA-Fa-f]{4})+|\\./g;
const UNICODE_ESCAPE_CHARS = 6;
const VISIBLE = /^[[\p{L}\p{M}\p{N}\p{P}\p{S}]--[\p{ASCII}\p{Default_Ignorable_Code_Point}]]$/v;

/** Replaces escapes such as `\u00e9` by their character, if it is visible and not ASCII: many programs escape it. */
function withLetters(literal: string): string {
  if (!literal.includes(String.raw`\u`)) return literal;
  return literal.replaceAll(ESCAPES, (escapes) => {
    if (!escapes.startsWith(String.raw`\u`)) return escapes;
    let at = 0;
    return Array.from(String(JSON.parse(`"${escapes}"`)), (character) => {
      const from = at;
      at += character.length * UNICODE_ESCAPE_CHARS;
      return VISIBLE.test(character) ? character : escapes.slice(from, at);
    }).join('');
  });
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

/** Divides indented JSON into sections, so that a heading with the path of keys is above each group of lines. */

/** An object with more lines than this is divided into its members. */
const OBJECT_LINES_MAX = 12;
/** An array with more lines than this is divided into its items. Small adjacent items share blocks of this size. */
const BLOCK_LINES_MAX = 24;
/** A member with fewer lines than this, such as `"id": 7`, shares a code block with its neighbours. */
const MEMBER_LINES_MIN = 4;
const HEADING_LEVEL_MAX = 6;
/** Heading level of a member of the outermost object. */
const HEADING_LEVEL_MIN = 2;
const KEY_CHARS_MAX = 120;
const LINES_PER_STEP = 1_000;

type JsonBlock = { path: readonly string[]; from: number; to: number };

type Container = { start: number; end: number; isArray: boolean; path: readonly string[] };
type Member = { start: number; end: number; name: string };
type Group = { first: Member; last: Member };
type Source = { lines: readonly string[]; ends: ReadonlyMap<number, number> };

/**
 * Divides a JSON document into blocks of lines, each with the path of its keys.
 * @param lines the output of `indentJson`: one member per line, two spaces per level
 */
function* jsonBlocks(lines: readonly string[]): WorkSteps<JsonBlock[]> {
  const ends = yield* endsOf(lines);
  const blocks: JsonBlock[] = [];
  const root = { start: 0, end: ends.get(0) ?? 0, isArray: (lines[0] ?? '').endsWith('['), path: [] };
  yield* divide(root, { lines, ends }, blocks);
  return blocks;
}

/**
 * Maps the line that opens an object or array to the line that closes it. An unclosed object or array ends with the
 * file.
 */
function* endsOf(lines: readonly string[]): WorkSteps<Map<number, number>> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (const [index, line] of lines.entries()) {
    if (/^ *[}\]]/.test(line)) {
      const start = open.pop();
      if (start !== undefined) ends.set(start, index);
    }
    if (line.endsWith('{') || line.endsWith('[')) open.push(index);
    if (index % LINES_PER_STEP === 0) yield LINES_PER_STEP;
  }
  for (const start of open) ends.set(start, lines.length);
  return ends;
}

/**
 * Divides an object or array into blocks. The recursion ends because deep levels (`JSON_INDENT_LEVELS_MAX`) are one
 * line.
 */
function* divide(container: Container, source: Source, blocks: JsonBlock[]): WorkSteps<void> {
  const open: { group: Group | null; isFirst: boolean } = { group: null, isFirst: true };
  const close = () => {
    if (open.group !== null) blocks.push(groupBlock(container, open.group, open.isFirst));
    Object.assign(open, { group: null, isFirst: false });
  };
  for (const member of membersOf(container, source)) {
    const size = member.end - member.start + 1;
    const line = source.lines[member.start] ?? '';
    const isDivided = source.ends.has(member.start) && size > (line.endsWith('[') ? BLOCK_LINES_MAX : OBJECT_LINES_MAX);
    if (!isDivided && (container.isArray || size < MEMBER_LINES_MIN)) {
      if (open.group !== null && member.end - open.group.first.start >= BLOCK_LINES_MAX) close();
      open.group = { first: open.group?.first ?? member, last: member };
      continue;
    }
    close();
    const { start, end } = member;
    const path = [...container.path, member.name];
    if (isDivided) yield* divide({ start, end, isArray: line.endsWith('['), path }, source, blocks);
    else blocks.push({ path, from: start, to: end });
    yield size;
  }
  close();
}

/** Makes a block of neighbouring members. The first block of an object comes directly after the object's heading. */
function groupBlock({ path, isArray }: Container, group: Group, isFirst: boolean): JsonBlock {
  const { first, last } = group;
  const names = first === last ? first.name : `${first.name} … ${last.name}`;
  return { path: isFirst && !isArray ? path : [...path, names], from: first.start, to: last.end };
}

function* membersOf({ start, end, isArray }: Container, { lines, ends }: Source): Generator<Member> {
  for (let at = start + 1, index = 0; at < Math.min(end, lines.length); index += 1) {
    const last = Math.min(ends.get(at) ?? at, lines.length - 1);
    const key = isArray ? null : keyOf(lines[at] ?? '');
    yield { start: at, end: last, name: key ?? `[${index}]` };
    at = last + 1;
  }
}

function keyOf(line: string): string | null {
  const from = line.indexOf('"');
  let to = from + 1;
  while (to < line.length && line.charAt(to) !== '"') to += line.charAt(to) === '\\' ? 2 : 1;
  if (from < 0 || line.charAt(to + 1) !== ':') return null;
  const key = parseJson(line.slice(from, to + 1));
  return typeof key === 'string' ? oneLine(key, KEY_CHARS_MAX) || '""' : null;
}

/** Writes blocks as Markdown below the headings of their paths. A heading shared with the block before is skipped. */
function writeBlocks(blocks: readonly JsonBlock[], lines: readonly string[]): string[] {
  const out: string[] = [];
  let open: readonly string[] = [];
  for (const { path, from, to } of blocks) {
    const headings = headingsOf(path);
    const same = headings.findIndex((heading, index) => heading !== open[index]);
    for (const heading of same < 0 ? [] : headings.slice(same)) out.push(heading, '');
    open = headings;
    const indent = /^ */.exec(lines[from] ?? '')?.[0].length ?? 0;
    const code: string[] = [];
    for (let at = from; at <= to; at += 1) code.push((lines[at] ?? '').slice(indent));
    for (const line of codeBlockOfLines(code, 'json')) out.push(line);
    out.push('');
  }
  return out;
}

/** Returns the headings of a path. Keys below the deepest heading level share one heading, such as `a › b › c`. */
function headingsOf(path: readonly string[]): string[] {
  const own = HEADING_LEVEL_MAX - HEADING_LEVEL_MIN;
  const names = path.length <= own ? path : [...path.slice(0, own), path.slice(own).join(' › ')];
  return names.map((name, index) => `${'#'.repeat(index + HEADING_LEVEL_MIN)} ${escapeInline(name, PLAIN_CONTEXT)}`);
}
