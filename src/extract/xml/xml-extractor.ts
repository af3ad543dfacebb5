import { indexAfter } from '#core/text/text.ts';
import { toExtracted } from '#extract/extractor.ts';
import type { ExtractInput, ExtractedText, Extractor } from '#extract/extractor.ts';
import { codeBlock } from '#extract/escape.ts';
import { sanitizeText } from '#core/text/plain.ts';
import { FILE_MARKDOWN_CHARS_MAX, JSON_INDENT_LEVELS_MAX } from '#extract/limits.ts';

/** Maximum characters of a line in XML that a person laid out. With a longer line, the file is indented here. */
const LAID_OUT_CHARS_MAX = 400;

/** Extracts XML as sent, in a code block. XML with very long lines is indented. Entities are not expanded. */
export const xmlExtractor: Extractor = { id: 'xml', version: '2', extract: extractXml };

function extractXml(input: ExtractInput): Promise<ExtractedText> {
  const source = sanitizeText(input.text).trim();
  const laidOut = source.split('\n').every((line) => line.length <= LAID_OUT_CHARS_MAX);
  const shown = laidOut ? source : indentXml(source);
  return toExtracted(
    xmlExtractor,
    {
      title: null,
      markdown: source === '' ? [] : codeBlock(shown, 'xml'),
      cuts: [],
      strategy: laidOut ? 'as sent' : 'indented',
    },
    input,
  );
}

type Token = { kind: 'text' | 'open' | 'close' | 'whole'; source: string };

/**
 * Indents XML: each element begins a line unless text is next to its tag. Only white space changes. Indenting stops at
 * `FILE_MARKDOWN_CHARS_MAX`, because the indents of deeply nested XML could be far larger than the file.
 */
function indentXml(source: string): string {
  const out: string[] = [];
  let level = 0;
  let chars = 0;
  let before: Token | null = null;
  for (const token of tokens(source)) {
    if (token.kind === 'text' && token.source.trim() === '') continue;
    if (token.kind === 'close') level = Math.max(0, level - 1);
    const isEmpty = before?.kind === 'open' && token.kind === 'close';
    const touchesText = before?.kind === 'text' || token.kind === 'text';
    if (before !== null && !isEmpty && !touchesText) {
      out.push(`\n${'  '.repeat(Math.min(level, JSON_INDENT_LEVELS_MAX))}`);
    }
    out.push(token.source);
    chars += token.source.length + (out.at(-2)?.length ?? 0);
    if (chars > FILE_MARKDOWN_CHARS_MAX) break;
    if (token.kind === 'open') level += 1;
    before = token;
  }
  return out.join('');
}

/** Splits XML into tags, comments and texts in one pass. Unclosed markup extends to the end. */
function* tokens(source: string): Generator<Token> {
  let at = 0;
  while (at < source.length) {
    const open = source.indexOf('<', at);
    const textEnd = open < 0 ? source.length : open;
    if (textEnd > at) yield { kind: 'text', source: source.slice(at, textEnd) };
    if (open < 0) return;
    at = endOfMarkup(source, open);
    const markup = source.slice(open, at);
    yield { kind: kindOf(markup), source: markup };
  }
}

function kindOf(markup: string): Token['kind'] {
  if (markup.startsWith('<![CDATA[')) return 'text';
  if (markup.startsWith('</')) return 'close';
  return /^<[!?]/.test(markup) || markup.endsWith('/>') ? 'whole' : 'open';
}

function endOfMarkup(source: string, open: number): number {
  if (source.startsWith('<!--', open)) return indexAfter(source, '-->', open);
  if (source.startsWith('<![CDATA[', open)) return indexAfter(source, ']]>', open);
  if (source.startsWith('<?', open)) return indexAfter(source, '?>', open);
  if (source.startsWith('<!', open)) return endOfDoctype(source, open);
  let quote = '';
  for (let at = open + 1; at < source.length; at += 1) {
    const character = source.charAt(at);
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return at + 1;
  }
  return source.length;
}

function endOfDoctype(source: string, open: number): number {
  const end = indexAfter(source, '>', open);
  const subset = source.slice(open, end).indexOf('[');
  return subset < 0 ? end : indexAfter(source, '>', indexAfter(source, ']', open + subset) - 1);
}
