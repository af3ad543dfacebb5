import { describe, expect, it } from 'vitest';
import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { noPause } from '#core/flow/turns.ts';
import type { RunWithCpuLock } from '#core/flow/turns.ts';
import { needsRenderRetry, extractOrRender, findRenderReason, describeRendering } from '#reading/open/extract-page.ts';
import type { FetchedPage, RenderPort } from '#reading/open/extract-page.ts';
import { META } from '#support/stored-pages.ts';

const SHELL = '<div id="root"></div><script src="/app.js"></script>';
const LONG = `<main>${'Walruses sing. '.repeat(50)}</main>`;

const inTurn: RunWithCpuLock = (_, work) => work(noPause);

function read(
  html: string,
  mode: 'auto' | 'rendered' | 'readable',
  render: RenderPort | null,
  page: Partial<FetchedPage> = {},
) {
  const fetched = {
    kind: 'html' as const,
    bytes: new Uint8Array(),
    text: html,
    finalUrl: 'https://a.dev/',
  };
  return extractOrRender({ ...fetched, ...page }, { mode }, AbortSignal.timeout(60_000), {
    inTurn,
    render,
    makeRoom: async () => undefined,
  });
}

const rendersTo =
  (html: string): RenderPort =>
  async ({ url }) => ({
    html,
    isCut: false,
    finalUrl: `${url}there`,
    documentUrl: `${url}there#part`,
    stillLoading: false,
    ms: 5,
  });
const notAsked: RenderPort = async () => {
  throw new Error('a browser was asked');
};

async function codeOf(promise: Promise<unknown>): Promise<string | undefined> {
  const error = await promise.catch((thrown: unknown) => thrown);
  return error instanceof PeriscopeError ? error.failure.code : undefined;
}

describe('the text of a page', () => {
  it('needs no browser if the page is readable, or in readable mode', async () => {
    expect((await read(LONG, 'auto', notAsked)).rendering).toBeNull();
    expect((await read(`Loading ${SHELL}`, 'readable', notAsked)).needsScripts).toBe(true);
  });

  it('comes from the browser for a script shell, with its final URL', async () => {
    const { extraction, finalUrl, documentUrl, rendering } = await read(`Loading ${SHELL}`, 'auto', rendersTo(LONG));
    expect(extraction.lines[0]).toContain('Walruses');
    expect([finalUrl, documentUrl]).toEqual(['https://a.dev/there', 'https://a.dev/there#part']);
    expect(rendering).toMatchObject({ reason: 'script_shell', outcome: 'shown', hasNavigated: true });
  });

  it('is rendered for a completely empty shell', async () => {
    expect((await read(SHELL, 'auto', rendersTo(LONG))).rendering).toMatchObject({ outcome: 'shown' });
    expect(await codeOf(read(SHELL, 'auto', null))).toBe('extract_failed');
    expect(await codeOf(read(SHELL, 'auto', rendersTo('<p></p>')))).toBe('extract_failed');
  });

  it('is the longer of both texts of a shell', async () => {
    const shell = `Loading the songs of the walruses ${SHELL}`;
    const shorter = await read(shell, 'auto', rendersTo('<p>Oops</p>'));
    expect(shorter.rendering).toMatchObject({ reason: 'script_shell', outcome: 'less' });
    expect(shorter.extraction.lines[0]).toContain('walruses');
    expect(shorter.finalUrl).toBe('https://a.dev/');
    expect((await read(shell, 'auto', rendersTo(shell))).rendering).toMatchObject({ outcome: 'shown' });
  });

  it('is rendered if the site config requires it, however long the page is', async () => {
    const { extraction } = await read(LONG, 'auto', notAsked);
    expect(findRenderReason(LONG, extraction)).toBeNull();
    expect(findRenderReason(LONG, { ...extraction, needsScripts: true })).toBe('site_config');
  });

  it('comes from the browser in rendered mode, or fails as the browser does', async () => {
    expect((await read(LONG, 'rendered', rendersTo('<p>Short</p>'))).extraction.lines).toEqual(['Short']);
    const broken: RenderPort = async () => fail({ code: 'render_failed', reason: 'x' });
    expect(await codeOf(read(LONG, 'rendered', broken))).toBe('render_failed');
    expect(await codeOf(read(LONG, 'rendered', null))).toBe('render_disabled');
  });

  it('is that of the shell when rendering failed, with the reason', async () => {
    const late: RenderPort = async () => fail({ code: 'timeout', what: 'Rendering the page', afterMs: 15_000 });
    const { extraction, rendering, needsScripts } = await read(`Loading ${SHELL}`, 'auto', late);
    expect(extraction.lines).toEqual(['Loading']);
    const notes = describeRendering({ mode: 'auto', meta: { ...META, needsScripts, rendering } });
    expect(notes[0]).toContain('Rendering the page took longer than 15000 ms.');
  });

  it('is never rendered from anything but HTML', async () => {
    expect((await read('words', 'rendered', notAsked, { kind: 'text' })).rendering).toBeNull();
  });
});

describe('a stored page', () => {
  const stored = (mode: string, meta: Partial<typeof META>) => ({
    key: '',
    canonicalUrl: '',
    finalUrl: '',
    mode,
    etag: null,
    lastModified: null,
    fetchedAt: 0,
    validatedAt: 0,
    meta: { ...META, ...meta },
  });
  const rendering = { reason: 'script_shell', ms: 1, stillLoading: false, isCut: false } as const;

  it('waits for a browser if the page needs scripts that have not run yet', () => {
    expect(needsRenderRetry(stored('auto', { needsScripts: true }), notAsked)).toBe(true);
    expect(needsRenderRetry(stored('auto', { needsScripts: true }), null)).toBe(false);
    expect(needsRenderRetry(stored('auto', {}), notAsked)).toBe(false);
    expect(needsRenderRetry(stored('readable', { needsScripts: true }), notAsked)).toBe(false);
  });

  it('waits again after a failure, and not after a success', () => {
    const after = (outcome: 'shown' | 'less' | 'failed') =>
      needsRenderRetry(stored('auto', { needsScripts: true, rendering: { ...rendering, outcome } }), notAsked);
    expect([after('shown'), after('less'), after('failed')]).toEqual([false, false, true]);
  });
});
