import type { Extraction, PageRange, ToView } from '#core/document/document.ts';
import type { Kind } from '#core/document/kinds.ts';
import type { Pause } from '#core/flow/turns.ts';
import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { fail } from '#core/failures/failure.ts';
import { FILE_CHARS_MAX } from './limits.ts';
import { redactUrl } from '#core/secrets/secret-addresses.ts';
import { oneLine } from '#core/text/text.ts';
import { REST_LINE, toLines } from '#extract/lines/lines.ts';
import { toPlain } from '#core/text/plain.ts';
import { runWithPauses, noPause } from '#core/flow/turns.ts';
import { closeFence } from './escape.ts';

/**
 * `readable` puts the main content first and the rest of the page after it. `raw` keeps the order of the page. The
 * modes give the same result for kinds that contain only content, such as CSV.
 */
export type ExtractMode = 'readable' | 'raw';

export type ExtractInput = {
  kind: Kind;
  /** The decoded body. Empty for kinds that are read from `bytes`, such as PDF. */
  text: string;
  bytes: Uint8Array;
  /** The final absolute URL of the body. Links are resolved against it. `NO_ADDRESS` for a body without URL. */
  url: string;
  mode: ExtractMode;
  /** The id of a site config to use instead of the one that matches the page. Only HTML has site configs. */
  siteconfig?: string | undefined;
  /** True if the body was cut at the download size limit. */
  isCut?: boolean | undefined;
  refresh?: string | null | undefined;
  /** For a file that is read in parts: the number of the first page to read. The default is 1. */
  firstPage?: number | undefined;
  /** A function that long extractions await between steps, so that other requests can run. */
  pause?: Pause | undefined;
};

/** The rule that selected a site config: the caller's argument, or the page's host, generator or markup. */
export type SiteConfigMatch = 'argument' | 'domain' | 'generator' | 'marker';

/**
 * The decisions that extraction made. Shown if the caller asks to `explain` the result, and used to tune extraction.
 */
export type Explanation = {
  /** The strategy whose result was used, such as `whole page` or `as served`. */
  strategy: string;
  candidates: { strategy: string; chars: number }[];
  siteconfigMatch?: SiteConfigMatch | undefined;
};

export type Extracted = Extraction & {
  explanation: Explanation;
  /** `id@version` of the site config that selected the content, if any. */
  siteconfig?: string | undefined;
  /** True if the site config states that its pages need scripts to show their content. */
  needsScripts?: boolean | undefined;
  pages?: PageRange | undefined;
  /**
   * Pages or pictures that can only be viewed as an image. Set for a picture, and for a file with pages without text.
   */
  toView?: ToView | undefined;
  /** For each extracted page of a PDF or a similar file, its first line. */
  pageStarts?: ReadonlyMap<number, number> | undefined;
};

/** Reads the kinds of one family. Extractors are deterministic: the same input always gives the same lines. */
export type Extractor = {
  id: string;
  /** A part of the document ID. Raise the version whenever the same input may give other lines. */
  version: string;
  extract(input: ExtractInput): Extracted | Promise<Extracted>;
};

export function extractorVersion(extractor: Extractor): string {
  return `${extractor.id}@${extractor.version}`;
}

/** Marks the beginning of a page with an HTML comment, which rendered Markdown does not show. */
export function pageMark(page: number): string {
  return `<!-- page ${page} -->`;
}

type FileMarkdown = {
  title: string | null;
  language?: string | null;
  markdown: readonly string[];
  /** Text outside the content of the file, such as comments, page headers and footers. */
  rest?: readonly string[];
  cuts: readonly string[];
  strategy: string;
  /** For each page of the file, the line of `markdown` where it begins. */
  pageStarts?: ReadonlyMap<number, number>;
};

/** Turns the Markdown of a file into citable lines. Text after the first `FILE_CHARS_MAX` characters is omitted. */
export async function toExtracted(
  extractor: Extractor,
  written: FileMarkdown,
  { pause = noPause }: ExtractInput,
): Promise<Extracted> {
  const { kept, whole, cuts: tooLong } = withinBudget(written.markdown);
  await pause();
  const main = await runWithPauses(toLines(toPlain(kept.join('\n')).split('\n')), pause);
  const { cuts, starts } = main;
  const { lines, restStart } = await withRest(main.lines, written.rest ?? [], pause);
  const title = written.title === null ? '' : oneLine(written.title, TITLE_CHARS_MAX);
  const pageStarts = new Map<number, number>();
  for (const [page, at] of written.pageStarts ?? []) {
    const line = starts[at];
    if (line !== undefined && at < whole) pageStarts.set(page, line);
  }
  return {
    title: title === '' ? null : title,
    language: written.language ?? null,
    lines,
    ...(restStart === null ? {} : { restStart }),
    extractor: extractorVersion(extractor),
    cuts: [...new Set([...written.cuts, ...tooLong, ...cuts])],
    explanation: { strategy: written.strategy, candidates: [] },
    pageStarts,
  };
}

/**
 * Appends the rest of a file, after the line that introduces it. If the file has no content, the rest is omitted, too.
 */
async function withRest(
  main: readonly string[],
  markdown: readonly string[],
  pause: Pause,
): Promise<{ lines: string[]; restStart: number | null }> {
  if (main.every((line) => line.trim() === '')) return { lines: [], restStart: null };
  const { lines } = await runWithPauses(toLines(toPlain(markdown.join('\n')).split('\n')), pause);
  if (lines.every((line) => line.trim() === '')) return { lines: [...main], restStart: null };
  return { lines: [...main, REST_LINE, ...lines], restStart: main.length };
}

/**
 * Reports that a file has no readable text.
 * @param reason completes the sentence "No readable text was found: …" and must not quote the file
 * @throws {PeriscopeError} always `extract_failed`
 */
export function failUnreadable(input: Pick<ExtractInput, 'url'>, reason: string, cause?: unknown): never {
  fail({ code: 'extract_failed', url: redactUrl(input.url), reason, of: 'file' }, { cause });
}

/** Cuts Markdown at `FILE_CHARS_MAX` characters. `whole` is the number of lines before the cut line. */
function withinBudget(markdown: readonly string[]): { kept: readonly string[]; whole: number; cuts: string[] } {
  let chars = 0;
  for (const [index, line] of markdown.entries()) {
    chars += line.length + 1;
    if (chars <= FILE_CHARS_MAX) continue;
    const rest = line.slice(0, Math.max(0, line.length - (chars - FILE_CHARS_MAX)));
    return {
      kept: closeFence([...markdown.slice(0, index), rest]),
      whole: index,
      cuts: [`The file has more than ${FILE_CHARS_MAX} characters of text: the rest was left out.`],
    };
  }
  return { kept: markdown, whole: markdown.length, cuts: [] };
}
