import type { Extraction, PageRange, ImagesToView } from '#core/document/document.ts';
import type { BodyKind } from '#core/document/kinds.ts';
import type { Pause } from '#core/flow/turns.ts';
import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { fail } from '#core/failures/failure.ts';
import { FILE_MARKDOWN_CHARS_MAX } from './limits.ts';
import { redactUrl } from '#core/secrets/secret-addresses.ts';
import { oneLine } from '#core/text/text.ts';
import { REST_SEPARATOR_LINE, splitCitableLines } from '#extract/lines/lines.ts';
import { sanitizeText } from '#core/text/plain.ts';
import { runWithPauses, noPause } from '#core/flow/turns.ts';
import { closeOpenCodeFence } from './escape.ts';

/**
 * `readable` moves menus, comments and related links behind the main content. `raw` keeps the order of the page. Kinds
 * that contain only content, such as CSV, give the same result for both.
 */
export type ExtractMode = 'readable' | 'raw';

export type ExtractInput = {
  kind: BodyKind;
  /** The decoded body. Empty for kinds that are read from `bytes`, such as PDF. */
  text: string;
  bytes: Uint8Array;
  /** Final absolute URL of the body, against which links are resolved; `PLACEHOLDER_PAGE_URL` for a body without a URL. */
  url: string;
  mode: ExtractMode;
  /** Id of a site config to use instead of the one that matches the page. Only HTML has site configs. */
  siteconfig?: string | undefined;
  /** True if the download stopped at the size limit, so the end of the body is missing. */
  isCut?: boolean | undefined;
  refresh?: string | null | undefined;
  /** Number of the first page to read, for a file that is read in parts. The default is 1. */
  firstPage?: number | undefined;
  /** Called by long extractors between steps, so that other requests of the isolate can run. */
  pause?: Pause | undefined;
};

/** The reason for choosing a site config: the caller's argument, or the page's host, generator or markup. */
export type SiteConfigMatch = 'argument' | 'domain' | 'generator' | 'marker';

/** Decisions of the extraction, returned if the caller passes `explain`, and used to tune the extractors. */
export type ExtractionExplanation = {
  /** Name of the algorithm whose result was used, such as `whole page` or `as served`. */
  strategy: string;
  candidates: { strategy: string; chars: number }[];
  siteconfigMatch?: SiteConfigMatch | undefined;
};

export type ExtractedText = Extraction & {
  explanation: ExtractionExplanation;
  /** `id@version` of the site config that selected the content, if any. */
  siteconfig?: string | undefined;
  /** True if the site config states that the site's pages show their content only after their scripts run. */
  needsScripts?: boolean | undefined;
  pages?: PageRange | undefined;
  /** Pages without text, such as scans, and pictures. They can only be viewed as images. */
  toView?: ImagesToView | undefined;
  /** Maps each extracted page of a PDF or a similar file to its first line in `lines`. */
  pageStarts?: ReadonlyMap<number, number> | undefined;
};

/** Reads bodies of one or several kinds. Extractors are deterministic: the same input always gives the same lines. */
export type Extractor = {
  id: string;
  /** Part of the document's ID. Increase it whenever the same input may give different lines. */
  version: string;
  extract(input: ExtractInput): ExtractedText | Promise<ExtractedText>;
};

export function extractorVersion(extractor: Extractor): string {
  return `${extractor.id}@${extractor.version}`;
}

/** Marks the start of a page with an HTML comment, which is invisible in rendered Markdown. */
export function writePageMark(page: number): string {
  return `<!-- page ${page} -->`;
}

type FileMarkdown = {
  title: string | null;
  language?: string | null;
  markdown: readonly string[];
  /** Text outside the file's content, such as comments, page headers and footers. It follows the content. */
  rest?: readonly string[];
  cuts: readonly string[];
  strategy: string;
  /** Maps each page of the file to the line of `markdown` where it begins. */
  pageStarts?: ReadonlyMap<number, number>;
};

/** Turns the Markdown of a file into citable lines. Text after the first `FILE_MARKDOWN_CHARS_MAX` characters is omitted. */
export async function toExtracted(
  extractor: Extractor,
  written: FileMarkdown,
  { pause = noPause }: ExtractInput,
): Promise<ExtractedText> {
  const { kept, whole, cuts: tooLong } = withinBudget(written.markdown);
  await pause();
  const main = await runWithPauses(splitCitableLines(sanitizeText(kept.join('\n')).split('\n')), pause);
  const { cuts, starts } = main;
  const { lines, restStart, cuts: restCuts } = await withRest(main.lines, written.rest ?? [], pause);
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
    cuts: [...new Set([...written.cuts, ...tooLong, ...cuts, ...restCuts])],
    explanation: { strategy: written.strategy, candidates: [] },
    pageStarts,
  };
}

/**
 * Appends comments, headers and footers after a separator line. If there is no content before them, they are omitted.
 */
async function withRest(
  main: readonly string[],
  markdown: readonly string[],
  pause: Pause,
): Promise<{ lines: string[]; restStart: number | null; cuts: string[] }> {
  if (main.every((line) => line.trim() === '')) return { lines: [], restStart: null, cuts: [] };
  const { kept, cuts: tooLong } = withinBudget(markdown);
  const { lines, cuts } = await runWithPauses(splitCitableLines(sanitizeText(kept.join('\n')).split('\n')), pause);
  if (lines.every((line) => line.trim() === '')) return { lines: [...main], restStart: null, cuts: [] };
  return { lines: [...main, REST_SEPARATOR_LINE, ...lines], restStart: main.length, cuts: [...tooLong, ...cuts] };
}

/**
 * Reports that a file has no readable text.
 * @param reason completes the sentence "No readable text was found: …" and must not quote the file
 * @throws {PeriscopeError} always `extract_failed`
 */
export function failUnreadableFile(input: Pick<ExtractInput, 'url'>, reason: string, cause?: unknown): never {
  fail({ code: 'extract_failed', url: redactUrl(input.url), reason, of: 'file' }, { cause });
}

/** Cuts Markdown at `FILE_MARKDOWN_CHARS_MAX` characters. `whole` is the number of complete lines before the cut. */
function withinBudget(markdown: readonly string[]): { kept: readonly string[]; whole: number; cuts: string[] } {
  let chars = 0;
  for (const [index, line] of markdown.entries()) {
    chars += line.length + 1;
    if (chars <= FILE_MARKDOWN_CHARS_MAX) continue;
    const rest = line.slice(0, Math.max(0, line.length - (chars - FILE_MARKDOWN_CHARS_MAX)));
    return {
      kept: closeOpenCodeFence([...markdown.slice(0, index), rest]),
      whole: index,
      cuts: [`The file has more than ${FILE_MARKDOWN_CHARS_MAX} characters of text: the rest was left out.`],
    };
  }
  return { kept: markdown, whole: markdown.length, cuts: [] };
}
