import type { Extraction, PageRange } from '#core/document/document.ts';
import type { Kind } from '#core/document/kinds.ts';
import type { Pause } from '#core/flow/turns.ts';
import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { fail } from '#core/failures/failure.ts';
import { FILE_CHARS_MAX } from './limits.ts';
import { redactUrl } from '#core/secrets/secret-addresses.ts';
import { oneLine } from '#core/text/text.ts';
import { REST_LINE, toLines } from '#extract/lines/lines.ts';
import { toPlain } from '#core/text/plain.ts';
import { inShares, noPause } from '#core/flow/turns.ts';
import { closeFence } from './escape.ts';

/**
 * `readable` keeps the main content; `raw` keeps the whole page. They differ only for pages that hold more than their
 * content.
 */
export type ExtractMode = 'readable' | 'raw';

export type ExtractInput = {
  kind: Kind;
  /** The decoded body. It is empty for kinds that are read from bytes. */
  text: string;
  bytes: Uint8Array;
  /** The final absolute URL of the body. Links are resolved against it. `NO_ADDRESS` for a body without one. */
  url: string;
  mode: ExtractMode;
  /** The id of the site config to use, instead of the one that the address selects. Only HTML has site configs. */
  siteconfig?: string | undefined;
  /** The end of the body is missing, because it is above the size limit. */
  isCut?: boolean | undefined;
  /** The `Refresh` header that came with a page. */
  refresh?: string | null | undefined;
  /** The first page to read of a file that is read in parts; 1 by default. */
  firstPage?: number | undefined;
  /** Awaited between the parts of long work, so that other requests get their turn. */
  pause?: Pause | undefined;
};

/** How a site config was chosen: by argument, or by the host, generator or markup of the page. */
export type SiteConfigMatch = 'argument' | 'domain' | 'generator' | 'marker';

/** How the lines were extracted. Shown for `explain` and used in tuning. */
export type Explanation = {
  /** The strategy that won, such as `whole page` or `as served`. */
  strategy: string;
  /** The strategies tried, with the characters that each gave. */
  candidates: { strategy: string; chars: number }[];
  siteconfigMatch?: SiteConfigMatch | undefined;
};

export type Extracted = Extraction & {
  explanation: Explanation;
  /** `id@version` of the site config that was used, if any. */
  siteconfig?: string | undefined;
  /** The page's site config says that the page needs scripts to show its content. */
  needsScripts?: boolean | undefined;
  /** Of a file that is read in parts: the pages that the lines cover. */
  pages?: PageRange | undefined;
  /** The lines where these begin, by their numbers. */
  pageStarts?: ReadonlyMap<number, number> | undefined;
};

/** Reads one family of kinds. Pure: the same input gives the same lines. */
export type Extractor = {
  id: string;
  /** Raised whenever the same input may give other lines. It is part of a document's address. */
  version: string;
  extract(input: ExtractInput): Extracted | Promise<Extracted>;
};

/** `name@version`. */
export function identityOf(extractor: Extractor): string {
  return `${extractor.id}@${extractor.version}`;
}

/** The line that says where a page begins: Markdown does not show it. */
export function pageMark(page: number): string {
  return `<!-- page ${page} -->`;
}

type FileMarkdown = {
  title: string | null;
  language?: string | null;
  markdown: readonly string[];
  /** Text that readers of the file see beside its content: comments, headers and footers. */
  rest?: readonly string[];
  cuts: readonly string[];
  strategy: string;
  /** Where pages begin, by their number. */
  pageStarts?: ReadonlyMap<number, number>;
};

/** Finishes a file. Text beyond `FILE_CHARS_MAX` is cut. */
export async function toExtracted(
  extractor: Extractor,
  written: FileMarkdown,
  { pause = noPause }: ExtractInput,
): Promise<Extracted> {
  const { kept, whole, cuts: tooLong } = withinBudget(written.markdown);
  await pause();
  const main = await inShares(toLines(toPlain(kept.join('\n')).split('\n')), pause);
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
    extractor: identityOf(extractor),
    cuts: [...new Set([...written.cuts, ...tooLong, ...cuts])],
    explanation: { strategy: written.strategy, candidates: [] },
    pageStarts,
  };
}

/** The lines of a file and, behind a line that says so, those of its rest. A file without content has no rest. */
async function withRest(
  main: readonly string[],
  markdown: readonly string[],
  pause: Pause,
): Promise<{ lines: string[]; restStart: number | null }> {
  if (main.every((line) => line.trim() === '')) return { lines: [], restStart: null };
  const { lines } = await inShares(toLines(toPlain(markdown.join('\n')).split('\n')), pause);
  if (lines.every((line) => line.trim() === '')) return { lines: [...main], restStart: null };
  return { lines: [...main, REST_LINE, ...lines], restStart: main.length };
}

/** `reason` completes the sentence "No readable text was found: …". It holds our own words only. @throws {PeriscopeError} always `extract_failed` */
export function failUnreadable(input: ExtractInput, reason: string, cause?: unknown): never {
  fail({ code: 'extract_failed', url: redactUrl(input.url), reason, of: 'file' }, { cause });
}

/** `whole`: how many lines are kept as they are. */
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
