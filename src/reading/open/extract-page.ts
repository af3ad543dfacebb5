import { mainLines } from '#core/document/document.ts';
import { failureMessage } from '#core/failures/describe-failure.ts';
import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { hasHtmlBody } from '#core/document/kinds.ts';
import { redactUrl } from '#core/secrets/secret-addresses.ts';
import { APP_SHELL_TEXT_CHARS_MAX, URL_CHARS_MAX } from '#core/limits.ts';
import type { RunWithCpuLock } from '#core/flow/turns.ts';
import type { ExtractedText, ExtractInput } from '#extract/extractor.ts';
import { canonicalizeUrl } from '#net/fetch/canonical-url.ts';
import type { RenderingRecord, PageSnapshotRecord } from '#storage/schema.ts';
import { parseHtmlTree } from '#extract/html/build-tree.ts';
import { isElement, nextInside } from '#extract/html/tree.ts';
import type { DomElement } from '#extract/html/tree.ts';
import { CPU_LOCK_CHARS_MIN } from '#reading/limits.ts';
import { extract } from '#extract/extract.ts';

/** Renders a fetched document in a browser. The page itself determines `html`, `finalUrl` and `documentUrl`. */
export type RenderPort = (page: { url: string; html: string }) => Promise<{
  html: string;
  isCut: boolean;
  finalUrl: string;
  /** The value of `document.URL`, which scripts can change. */
  documentUrl: string;
  stillLoading: boolean;
  ms: number;
}>;

type RenderDeps = {
  inTurn: RunWithCpuLock;
  render: RenderPort | null;
  makeRoom: () => Promise<void>;
};

type CallDeps = RenderDeps & { signal: AbortSignal };

export type FetchedPage = Pick<ExtractInput, 'kind' | 'bytes' | 'refresh' | 'isCut'> & {
  text: string | null;
  finalUrl: string;
};

type ReadRequest = {
  mode: 'auto' | 'readable' | 'raw' | 'rendered';
  siteconfig?: string | undefined;
  firstPage?: number | undefined;
};

export type ExtractedPage = {
  extraction: ExtractedText;
  /** The URL of the response that was read, to which a script may have navigated. */
  finalUrl: string;
  /** The URL that scripts of a rendered page have set; `null` if none. */
  documentUrl: string | null;
  needsScripts: boolean;
  /** Facts about the rendering in a browser; `null` if the page was not rendered. */
  rendering: RenderingRecord | null;
};

/**
 * Extracts a page, and renders HTML in a browser if needed: in `rendered` mode always; in `auto` mode if the page is a
 * script shell or its site config requires rendering. In `auto` mode, the longer text is then used, or the text without
 * rendering if rendering fails.
 * @throws {PeriscopeError} as extraction does; in `rendered` mode also as rendering does
 */
export async function extractOrRender(
  page: FetchedPage,
  request: ReadRequest,
  signal: AbortSignal,
  { inTurn, render, makeRoom }: RenderDeps,
): Promise<ExtractedPage> {
  const deps: CallDeps = { inTurn, render, makeRoom, signal };
  const isHtml = hasHtmlBody(page.kind);
  if (request.mode === 'rendered' && isHtml) return readRendered(page, request, deps);
  const plain = await readPlain(page, request, deps).catch((error: unknown) => {
    if (isHtml && request.mode === 'auto' && deps.render !== null && isEmpty(error)) return error;
    throw error;
  });
  const reason = isHtml ? findRenderReason(page.text ?? '', plain) : null;
  const base = { finalUrl: page.finalUrl, documentUrl: null, needsScripts: reason !== null };
  if (reason === null || request.mode !== 'auto' || deps.render === null) {
    return { ...base, extraction: orThrow(plain), rendering: null };
  }
  signal.throwIfAborted();
  return escalate(page, request, plain, reason, deps);
}

function readPlain(
  page: FetchedPage,
  { mode, siteconfig, firstPage }: ReadRequest,
  deps: CallDeps,
): Promise<ExtractedText> {
  const { kind, bytes, text, finalUrl, refresh, isCut } = page;
  const how = mode === 'raw' ? 'raw' : 'readable';
  const input = {
    kind,
    bytes,
    text: text ?? '',
    url: finalUrl,
    mode: how,
    siteconfig,
    firstPage,
    refresh,
    isCut,
  } as const;
  return extractWithCpuLock(input, deps.signal, deps.inTurn);
}

function isEmpty(error: unknown): error is PeriscopeError {
  return error instanceof PeriscopeError && error.failure.code === 'extract_failed';
}

export function findRenderReason(
  html: string,
  plain: ExtractedText | PeriscopeError,
): 'script_shell' | 'site_config' | null {
  if (plain instanceof PeriscopeError) return isScriptShell(html, '') ? 'script_shell' : null;
  if (plain.needsScripts === true) return 'site_config';
  return isScriptShell(html, textOf(plain)) ? 'script_shell' : null;
}

async function readRendered(page: FetchedPage, request: ReadRequest, deps: CallDeps): Promise<ExtractedPage> {
  const { render } = deps;
  if (render === null) return fail(NO_BROWSER_FAILURE);
  const { how, ...read } = await renderAndExtract(page, request, render, deps);
  return { ...read, needsScripts: false, rendering: { reason: 'asked', outcome: 'shown', ...how } };
}

export const NO_BROWSER_FAILURE = {
  code: 'render_disabled',
  reason: 'the operator has not enabled it, or there is no browser',
} as const;

async function escalate(
  page: FetchedPage,
  request: ReadRequest,
  plain: ExtractedText | PeriscopeError,
  reason: 'script_shell' | 'site_config',
  deps: CallDeps,
): Promise<ExtractedPage> {
  if (deps.render === null) return fail(NO_BROWSER_FAILURE);
  try {
    const { how, ...read } = await renderAndExtract(page, request, deps.render, deps);
    if (plain instanceof PeriscopeError || textOf(read.extraction).length >= textOf(plain).length) {
      return { ...read, needsScripts: true, rendering: { reason, outcome: 'shown', ...how } };
    }
    const rendering = { reason, outcome: 'less', ...how } as const;
    return { extraction: plain, finalUrl: page.finalUrl, documentUrl: null, needsScripts: true, rendering };
  } catch (error) {
    if (!(error instanceof PeriscopeError)) throw error;
    const problem = failureMessage(error.failure);
    const rendering = { reason, outcome: 'failed', problem, ms: 0, stillLoading: false, isCut: false } as const;
    return { extraction: orThrow(plain), finalUrl: page.finalUrl, documentUrl: null, needsScripts: true, rendering };
  }
}

async function renderAndExtract(
  page: FetchedPage,
  { siteconfig, firstPage }: ReadRequest,
  render: RenderPort,
  deps: CallDeps,
) {
  await deps.makeRoom();
  const { html, isCut, stillLoading, ms, ...arrived } = await render({ url: page.finalUrl, html: page.text ?? '' });
  const finalUrl = canonicalizeUrl(arrived.finalUrl);
  const documentUrl = findScriptedUrl(finalUrl, arrived.documentUrl);
  const bytes = new Uint8Array();
  // Relative links resolve against the URL that the page's scripts set, as in a browser.
  const url = documentUrl === null || documentUrl.length > URL_CHARS_MAX ? finalUrl : canonicalizeUrl(documentUrl);
  const input = { kind: 'html', bytes, text: html, url, mode: 'readable', siteconfig, firstPage } as const;
  const extraction = await extractWithCpuLock(input, deps.signal, deps.inTurn).catch((error: unknown) => {
    if (!isEmpty(error)) throw error;
    return fail({ code: 'extract_failed', url: redactUrl(finalUrl), reason: NO_TEXT, of: 'empty' }, { cause: error });
  });
  return {
    finalUrl,
    documentUrl,
    extraction,
    how: { hasNavigated: finalUrl !== page.finalUrl, isCut, stillLoading, ms },
  };
}

/**
 * Returns the URL that scripts have set; `null` if `document.URL` equals the response's URL, apart from a final `#`.
 */
export function findScriptedUrl(answered: string, documentUrl: string): string | null {
  const shown = (URL.parse(documentUrl)?.href ?? documentUrl).replace(/#$/u, '');
  return shown === answered ? null : documentUrl;
}

const NO_TEXT = 'the page shows no text, even with its scripts run';

function orThrow(plain: ExtractedText | PeriscopeError): ExtractedText {
  if (plain instanceof PeriscopeError) throw plain;
  return plain;
}

/** Returns the text of the main part only, because a script shell may have menus. */
function textOf(extraction: ExtractedText): string {
  return mainLines(extraction).join('');
}

export function needsRenderRetry({ mode, meta }: PageSnapshotRecord, render: RenderPort | null): boolean {
  if (mode !== 'auto' && !mode.startsWith('auto ')) return false;
  return render !== null && meta.needsScripts && (meta.rendering ?? FAILED).outcome === 'failed';
}

const FAILED = { outcome: 'failed' };

export function describeRendering({ mode, meta }: Pick<PageSnapshotRecord, 'mode' | 'meta'>): string[] {
  const { rendering } = meta;
  if (rendering === undefined || rendering === null) {
    if (mode === 'rendered') return [`Only HTML is rendered: this is ${meta.mediaType}, and was read as it is.`];
    return meta.needsScripts ? [`${WITH_SCRIPTS}, which were not run; ${WITHOUT_THEM}`] : [];
  }
  if (rendering.outcome === 'failed') {
    return [
      `${WITH_SCRIPTS}, and rendering it in a browser failed. ${rendering.problem ?? ''} The text below is the page without its scripts.`,
    ];
  }
  if (rendering.outcome === 'less') {
    return [`${WITH_SCRIPTS}, but rendered in a browser it showed less text; ${WITHOUT_THEM}`];
  }
  return [
    WHY[rendering.reason],
    ...(rendering.stillLoading ? ['It was still loading when its time was up, so text may be missing.'] : []),
    ...(rendering.isCut ? [RENDERED_CUT] : []),
  ];
}

const RENDERED_CUT =
  'The rendered page exceeds the size limit: its end is missing. To read it, call browser_navigate with this URL, then browser_read with the selector of a part.';
const WITH_SCRIPTS = 'This page shows its content with scripts';
const WITHOUT_THEM = 'the text below is the page without its scripts.';
const WHY = {
  asked: 'This page was rendered in a browser, as asked for.',
  script_shell: 'This page shows its content with scripts, so it was rendered in a browser.',
  site_config: 'Pages of this site show their content with scripts, so this one was rendered in a browser.',
} as const;

/**
 * Returns true for a script shell: a page with almost no text, which its scripts would fill in. Any of these is a sign:
 * three or more scripts, no text at all, a loading message, an element of a script framework, or an empty root element.
 * Markup inside comments, scripts and attributes does not count. Takes linear time.
 * @param text the extracted text
 */
export function isScriptShell(html: string, text: string): boolean {
  const isMenu = isMenuOnly(text);
  if (text.length > APP_SHELL_TEXT_CHARS_MAX && !isMenu) return false;
  const { document, scripts } = parseHtmlTree({ html, xml: false, scripting: true });
  if (scripts === 0) return false;
  const isShort = text.length <= APP_SHELL_TEXT_CHARS_MAX;
  if (isShort && (scripts >= SCRIPTS_OF_A_SHELL || text.trim() === '' || isLoading(text))) return true;
  const root = document.documentElement;
  const isTiny = isMenu || text.length <= TINY_TEXT_CHARS_MAX;
  for (let node = nextInside(root, root); node !== null; node = nextInside(root, node)) {
    if (isElement(node) && (isSign(node) || (isTiny && isEmptyRoot(node)))) return true;
  }
  return false;
}

const LOADING_CHARS_MAX = 60;
/** Messages that pages show while their scripts load, in the languages of large sites. */
const LOADING =
  /^[#*\s]*(?:loading|please wait|just a moment|one moment|initiali[sz]ing|wird geladen|lädt|chargement|cargando|carregando|caricamento|laden|загрузка|読み込み中|加载中|載入中|로드 중)(?!\p{L})/iu;

function isLoading(text: string): boolean {
  return text.length <= LOADING_CHARS_MAX && LOADING.test(text);
}

/** Maximum characters of a text that may consist only of a menu and a footer. */
const TINY_TEXT_CHARS_MAX = 80;
/** Maximum characters of a menu, including the URLs of its links. */
const MENU_CHARS_MAX = 2_000;
const LINK = /\[([^[\]]{0,200})\]\([^()\s]{0,2100}\)/g;

/** True for a text that consists of little more than a short list of links. */
function isMenuOnly(text: string): boolean {
  if (text.length > MENU_CHARS_MAX || text.replace(LINK, '$1').length > APP_SHELL_TEXT_CHARS_MAX) return false;
  return text.replace(LINK, '').length <= TINY_TEXT_CHARS_MAX;
}

/** Returns true for an empty element that scripts may fill. */
function isEmptyRoot({ localName, firstChild }: DomElement): boolean {
  return firstChild === null && (localName === 'div' || ROOT_TAGS.has(localName) || localName.includes('-'));
}

const SCRIPTS_OF_A_SHELL = 3;
const ROOT_TAGS = new Set(['div', 'main', 'section', 'app-root']);
const ROOT_ID = /^(?:root|app|__next|__nuxt|___gatsby|svelte|q-app|main-app)\b/i;
const NEEDS_SCRIPTS_NOTE = /\b(?:enable|requires?|turn on|need)\b[^<]{0,80}\bjavascript/i;

function isSign(element: DomElement): boolean {
  const name = element.localName;
  if (name === 'noscript') return NEEDS_SCRIPTS_NOTE.test(element.textContent);
  if (!ROOT_TAGS.has(name)) return false;
  const isMarked = element.hasAttribute('ng-version') || element.hasAttribute('data-reactroot');
  return name === 'app-root' || isMarked || ROOT_ID.test(element.getAttribute('id') ?? '');
}

/**
 * Extracts a page. A long text waits for the isolate's CPU lock (`inTurn`), so that only one is extracted at a time.
 * Files always wait, because even a short file may take long.
 * @throws {PeriscopeError} `extract_failed` if no text is readable
 * @throws the signal's reason if it fires while the call waits for the lock
 */
export async function extractWithCpuLock(
  input: ExtractInput,
  signal: AbortSignal,
  inTurn: RunWithCpuLock,
): Promise<ExtractedText> {
  const isShort = input.text !== '' && input.text.length < CPU_LOCK_CHARS_MIN;
  return isShort ? extract(input) : inTurn(signal, (pause) => extract({ ...input, pause }));
}
