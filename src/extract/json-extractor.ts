import { JSON_INDENT_LEVELS_MAX } from '#core/limits.ts';
import { identityOf } from './extractor.ts';
import type { ExtractInput, Extracted, Extractor } from './extractor.ts';
import { fenceLines } from './fence.ts';
import { toLines } from './lines/lines.ts';
import { toPlain } from '#core/plain.ts';

/** JSON, indented by two spaces. Only white space changes: keys keep their order, numbers their digits. */
export const jsonExtractor: Extractor = { id: 'json', version: '1', extract: extractJson };

function extractJson(input: ExtractInput): Extracted {
  const source = toPlain(input.text).trim();
  const valid = isJson(source);
  const markdown = source === '' ? [] : fenceLines(valid ? indentJson(source) : source, valid ? 'json' : '');
  const { lines, cuts } = toLines(markdown);
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

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const INDENTS = Array.from({ length: JSON_INDENT_LEVELS_MAX + 1 }, (_, level) => `\n${'  '.repeat(level)}`);

/** Re-indents valid JSON token by token: parsing would round big numbers and lose repeated keys. */
export function indentJson(json: string): string {
  const out: string[] = [];
  let level = 0;
  let previous = '';
  for (const [token] of json.matchAll(TOKEN)) {
    const closes = token === '}' || token === ']';
    if (closes) {
      level -= 1;
      if (previous !== '{' && previous !== '[') out.push(lineBreak(level, level + 1));
    } else if (previous === '{' || previous === '[') out.push(lineBreak(level, level));
    else if (previous === ',') out.push(lineBreak(level, level) === '' ? ' ' : lineBreak(level, level));
    if (token === '{' || token === '[') level += 1;
    out.push(token === ':' ? ': ' : token);
    previous = token;
  }
  return out.join('');
}

/** Nothing beyond the deepest indented level. */
function lineBreak(level: number, innerLevel: number): string {
  return innerLevel > JSON_INDENT_LEVELS_MAX ? '' : (INDENTS[level] ?? '');
}
