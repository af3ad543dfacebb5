import type { RunWithCpuLock } from '#core/flow/turns.ts';
import type { ExtractedText, ExtractMode } from '#extract/extractor.ts';
import { PLACEHOLDER_PAGE_URL } from '#extract/html/markdown/urls.ts';
import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { canonicalizeUrl } from '#net/fetch/canonical-url.ts';
import { extractWithCpuLock } from '#reading/open/extract-page.ts';
import { describePagePart, composePagePartWords } from './part-words.ts';
import { PAGE_RESULT_SIZE_LIMITS, writePageResult, describeRest, siteConfigNotes } from './page-result.ts';
import type { PageResult } from './page-result.ts';

type ExtractDeps = { inTurn: RunWithCpuLock };

/**
 * Extracts HTML that the caller passed. It is treated like a fetched page, but without network or storage.
 * @throws {PeriscopeError} `invalid_argument` for an invalid base URL, `extract_failed` if no text is readable
 */
export async function extractGivenHtml(
  input: { html: string; base_url?: string | undefined; siteconfig?: string | undefined; mode: ExtractMode },
  signal: AbortSignal,
  deps: ExtractDeps,
): Promise<{ result: PageResult; extraction: ExtractedText; notes: string[] }> {
  const url = input.base_url === undefined ? PLACEHOLDER_PAGE_URL : parseBaseUrl(input.base_url);
  const { html: text, siteconfig, mode } = input;
  const given = { kind: 'html', text, bytes: new Uint8Array(), url, mode, siteconfig } as const;
  const extraction = await extractWithCpuLock(given, signal, deps.inTurn).catch(withoutAddress);
  const part = composePagePartWords(extraction.pages, url, 'given');
  const used = siteConfigNotes({ siteconfig, mode }, extraction.siteconfig ?? null);
  const notes = [...used, ...describePagePart(part), ...extraction.cuts];
  const result = await writePageResult(
    {
      source: input.base_url === undefined ? 'html' : url,
      title: extraction.title,
      lineCount: extraction.lines.length,
      restStart: extraction.restStart ?? null,
      part,
      outline: [],
      fetchedAt: null,
      extractor: extraction.extractor,
      siteconfig: extraction.siteconfig ?? null,
      notes,
      chunks: [{ lines: extraction.lines }],
    },
    { cursor: null, status: [] },
    PAGE_RESULT_SIZE_LIMITS,
  );
  return { result, extraction, notes: result.rest === null ? notes : [...notes, describeRest(result.rest, null)] };
}

/** Removes the URL from the failure: HTML that the caller passed has only a placeholder as its URL. */
function withoutAddress(error: unknown): never {
  if (!(error instanceof PeriscopeError) || error.failure.code !== 'extract_failed') throw error;
  return fail({ code: 'extract_failed', reason: error.failure.reason });
}

/** Returns the canonical form of the base URL. @throws {PeriscopeError} `invalid_argument` */
export function parseBaseUrl(text: string): string {
  try {
    return canonicalizeUrl(text);
  } catch {
    return fail({
      code: 'invalid_argument',
      field: 'base_url',
      problem: 'must be an absolute http or https URL',
      hint: 'Pass the address the HTML came from, such as https://example.com/page, or leave base_url out.',
    });
  }
}
