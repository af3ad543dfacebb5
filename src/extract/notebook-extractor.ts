import { FILE_MARKDOWN_CHARS_MAX, NOTEBOOK_OUTPUT_CHARS_MAX } from './limits.ts';
import { toExtracted, failUnreadableFile } from './extractor.ts';
import type { ExtractInput, ExtractedText, Extractor } from './extractor.ts';
import { closeOpenCodeFence, codeBlock } from './escape.ts';
import { sanitizeText } from '#core/text/plain.ts';
import { appendLines, createHtmlReader } from './html-in-files.ts';
import type { HtmlReader } from './html-in-files.ts';
import { showTerminalOutput, withoutEscapes } from './terminal-output.ts';
import { isJsonObject, parseJson } from '#core/text/json.ts';
import type { JsonObject } from '#core/text/json.ts';

const EMBEDDED = /!\[([^[\]]{0,300})\]\((?:data:|attachment:)[^()\s]*\)/g;
const HEADING = /^#{1,2}[ \t]+(?=[^\s#])/;
/** Maximum characters of a Markdown cell that are searched for a title, including marks such as `**`. */
const HEADING_CHARS_MAX = 4_000;
const IMAGE_LEFT_OUT = '*(an image is left out)*';
const OUTPUT_LEFT_OUT = '*(an interactive output is left out)*';
/**
 * Matches Python's default text of an object, such as `<Figure size 640x480>`, which has no information for a reader.
 */
const OBJECT = /^<[\w.]{1,200}(?: [^<>]{0,300})?>$/;

/**
 * Extracts Jupyter notebooks (nbformat 3 and 4). Markdown cells are copied. Code becomes a code block, and so do most
 * outputs; HTML tables, Markdown and TeX outputs are written as such.
 */
export const notebookExtractor: Extractor = { id: 'notebook', version: '7', extract: extractNotebook };

async function extractNotebook(input: ExtractInput): Promise<ExtractedText> {
  const notebook = parse(input.text);
  const cells = notebook === null ? null : cellsOf(notebook);
  if (notebook === null || cells === null) return failUnreadableFile(input, 'the notebook is not valid');
  const language = languageOf(notebook);
  const reader = await createHtmlReader(input.pause);
  const markdown: string[] = [];
  const cuts = new Set<string>();
  let chars = 0;
  for (const [index, cell] of cells.entries()) {
    if (chars > FILE_MARKDOWN_CHARS_MAX) {
      cuts.add(`The notebook has ${cells.length} cells: those after ${index} were left out.`);
      break;
    }
    for (const block of await blocksOf(cell, { language, reader, base: input.url, cuts })) {
      for (const line of block) chars += line.length + 1;
      appendLines(markdown, [...block, '']);
    }
  }
  return toExtracted(
    notebookExtractor,
    {
      title: titleOf(notebook, markdown),
      markdown,
      cuts: [...cuts],
      strategy: 'cells',
    },
    input,
  );
}

type Context = { language: string; reader: HtmlReader; base: string; cuts: Set<string> };

async function blocksOf(cell: JsonObject, context: Context): Promise<string[][]> {
  const source = sourceOf(cell['source'] ?? cell['input']);
  const kind = cell['cell_type'];
  if (kind === 'markdown') return [closeOpenCodeFence(source.replace(EMBEDDED, imageOf).split('\n'))];
  if (kind === 'heading')
    return [[`${'#'.repeat(Math.min(6, Number(cell['level']) || 1))} ${source.replace(/\s+/g, ' ')}`]];
  const code = source.trim() === '' ? [] : [codeBlock(source, kind === 'code' ? context.language : '')];
  const outputs: unknown[] = kind === 'code' && Array.isArray(cell['outputs']) ? cell['outputs'] : [];
  for (const output of withJoinedStreams(outputs.filter(isJsonObject))) code.push(await outputLines(output, context));
  return code.filter((block) => block.length > 0);
}

/** Joins adjacent outputs of one stream, because programs write one line, such as a progress bar, in several. */
function withJoinedStreams(outputs: readonly JsonObject[]): JsonObject[] {
  const joined: JsonObject[] = [];
  for (const output of outputs) {
    const before = joined.at(-1);
    const goesOn = output['output_type'] === 'stream' && before?.['output_type'] === 'stream';
    if (before === undefined || !goesOn || before['name'] !== output['name']) joined.push(output);
    else joined[joined.length - 1] = { ...before, text: rawText(before['text']) + rawText(output['text']) };
  }
  return joined;
}

async function outputLines(output: JsonObject, context: Context): Promise<string[]> {
  const kind = output['output_type'];
  if (kind === 'stream') return fenced(outputText(output['text']), context);
  if (kind === 'error' || kind === 'pyerr') {
    const trace = outputText(Array.isArray(output['traceback']) ? output['traceback'].map(String).join('\n') : '');
    return fenced(trace === '' ? `${String(output['ename'])}: ${String(output['evalue'])}` : trace, context);
  }
  const data = isJsonObject(output['data']) ? output['data'] : output;
  const html = sourceOf(data['text/html'] ?? data['html']);
  const plain = outputText(data['text/plain'] ?? data['text']);
  const isBare = plain === '' || OBJECT.test(plain);
  if (/<table[\s>]/i.test(html) || (html !== '' && isBare)) {
    const { markdown, cuts, isLeftOut } = await context.reader(html, context.base);
    for (const cut of cuts) context.cuts.add(cut);
    if (!isLeftOut && markdown.some((line) => line.trim() !== '')) return markdown;
  }
  const written = sourceOf(data['text/markdown']);
  if (written !== '') return closeOpenCodeFence(written.replace(EMBEDDED, imageOf).split('\n'));
  const hasImage = Object.keys(data).some((type) => type.startsWith('image/') || type === 'png' || type === 'jpeg');
  if (hasImage) return [IMAGE_LEFT_OUT];
  const tex = sourceOf(data['text/latex'] ?? data['latex']);
  if (tex !== '') return tex.split('\n');
  const json = data['application/json'];
  if (json !== undefined && isBare) return fenced(JSON.stringify(json, null, 2), context, 'json');
  if (OBJECT.test(plain) && Object.keys(data).length > 1) return [OUTPUT_LEFT_OUT];
  return fenced(plain, context);
}

function fenced(raw: string, { cuts }: Context, language = ''): string[] {
  const text = raw.trimEnd();
  if (text === '') return [];
  if (text.length <= NOTEBOOK_OUTPUT_CHARS_MAX) return codeBlock(text, language);
  cuts.add(`Outputs longer than ${NOTEBOOK_OUTPUT_CHARS_MAX} characters were shortened.`);
  return codeBlock(`${text.slice(0, NOTEBOOK_OUTPUT_CHARS_MAX).toWellFormed()}\n…`, language);
}

function imageOf(_image: string, alt: string): string {
  return alt.trim() === '' ? IMAGE_LEFT_OUT : `*(an image is left out: ${alt.trim()})*`;
}

function parse(text: string): JsonObject | null {
  const parsed = parseJson(text.replace(/^\ufeff/, ''));
  return isJsonObject(parsed) ? parsed : null;
}

function cellsOf(notebook: JsonObject): JsonObject[] | null {
  const worksheets: unknown = notebook['worksheets'];
  const sheets: unknown[] = Array.isArray(worksheets) ? worksheets : [notebook];
  const cells = sheets.flatMap((sheet): unknown[] =>
    isJsonObject(sheet) && Array.isArray(sheet['cells']) ? sheet['cells'] : [],
  );
  return Array.isArray(notebook['cells']) || Array.isArray(worksheets) ? cells.filter(isJsonObject) : null;
}

function languageOf(notebook: JsonObject): string {
  const metadata = isJsonObject(notebook['metadata']) ? notebook['metadata'] : {};
  const info = isJsonObject(metadata['language_info']) ? metadata['language_info']['name'] : undefined;
  const kernel = isJsonObject(metadata['kernelspec']) ? metadata['kernelspec']['language'] : undefined;
  const language = info ?? kernel ?? 'python';
  return typeof language === 'string' && /^[\w+#.-]{1,30}$/.test(language) ? language.toLowerCase() : '';
}

function titleOf(notebook: JsonObject, markdown: readonly string[]): string | null {
  const metadata = isJsonObject(notebook['metadata']) ? notebook['metadata'] : {};
  if (typeof metadata['title'] === 'string' && metadata['title'].trim() !== '') return metadata['title'];
  for (const line of markdown) {
    if (line.startsWith('```')) return null;
    const marks = HEADING.exec(line)?.[0];
    if (marks === undefined) continue;
    return line
      .slice(marks.length, HEADING_CHARS_MAX)
      .trimEnd()
      .replace(/(?<!#)#+$/, '')
      .replace(/[*_`]+/g, '');
  }
  return null;
}

/** Reads text, which nbformat stores as a string or a list of lines. */
function sourceOf(value: unknown): string {
  return withoutLastBreaks(sanitizeText(withoutEscapes(rawText(value))));
}

/** Reads the text that a program wrote to a terminal. */
function outputText(value: unknown): string {
  return sourceOf(showTerminalOutput(rawText(value)));
}

function rawText(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join('') : typeof value === 'string' ? value : '';
}

function withoutLastBreaks(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === '\n') end -= 1;
  return text.slice(0, end);
}
