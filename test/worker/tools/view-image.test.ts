import { env } from 'cloudflare:workers';
import { createExecutionContext } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { composeServices, createCallParts } from '#compose.ts';
import { parseConfig } from '#core/config/config.ts';
import { openPage } from '#reading/open/open-page.ts';
import { viewFile } from '#reading/view/view-file.ts';
import type { FileToDraw } from '#core/document/file-facts.ts';
import type { DrawPort } from '#reading/view/view-file.ts';
import { callTool, structured } from '#support/mcp-call.ts';

const SITE = 'http://pictures.acme.dev';
const DRAWN = { jpegBase64: 'eA==', width: 64, height: 48, bytes: 1, leftOut: 0, isDark: false };

const textOf = async (name: string, url: string) =>
  (await callTool('modern', name, { url })).result?.content?.[0]?.text ?? '';

/** A deployment whose browser notes what it is asked to draw. */
function deployment(settings: Record<string, string> = {}, pages: number | null = null) {
  const config = parseConfig({ ...env, ...settings });
  const principal = { subject: `eyes of ${crypto.randomUUID()}`, scopes: [] };
  const { services } = composeServices(
    createCallParts(env, config, 'http://localhost'),
    createExecutionContext(),
    principal,
  );
  const asked: FileToDraw[] = [];
  const draw: DrawPort = async (file) => {
    asked.push(file);
    return { ...DRAWN, pages };
  };
  const deps = { ...services, draw: services.draw === null ? null : draw };
  const view = (path: string, page = 1) =>
    viewFile({ url: SITE + path, page, onFetched: () => undefined }, AbortSignal.timeout(20_000), deps);
  const failure = async (path: string) => {
    const error: unknown = await view(path).catch((thrown: unknown) => thrown);
    return error instanceof Error && 'failure' in error ? error.failure : error;
  };
  return { view, failure, asked, deps };
}

describe('an opened picture', () => {
  it.each(['open_url', 'web_open'])('has its facts and the call that shows it when %s opens it', async (tool) => {
    const text = await textOf(tool, `${SITE}/a.png`);
    expect(text).toMatch(/PNG image, 64 × 48 pixels, \d+ bytes\./u);
    expect(text).toContain('Title: Four fields');
    expect(text).toContain(`Note: To see the picture, call view_image {"url":"${SITE}/a.png"}`);
  });

  it('has the alternative text of a drawing', async () => {
    expect(await textOf('open_url', `${SITE}/a.svg`)).toContain('Alternative text: Red, green, blue, yellow');
  });

  it('has the page to view if it is a scan', async () => {
    expect(await textOf('open_url', `${SITE}/scan.pdf`)).toContain(
      `To see page 1, call view_image {"url":"${SITE}/scan.pdf","page":1}`,
    );
    const { notes } = structured(await callTool('modern', 'web_open', { url: `${SITE}/a.pdf` }));
    expect(notes).toEqual([
      'No text was found on page 2: such a page is a picture or blank.',
      `To see page 2, call view_image {"url":"${SITE}/a.pdf","page":2}`,
    ]);
  });

  it('has no such call where there is no browser, which draws it', async () => {
    const { deps } = deployment({ RENDER_ENABLED: 'false' });
    const request = { mode: 'auto', maxAgeMs: 0, holdUntil: Date.now() + 60_000 } as const;
    const notes = async (path: string) =>
      (await openPage({ ...request, requestedUrl: SITE + path }, AbortSignal.timeout(20_000), deps)).notes;
    const reason = 'cannot be shown here: the operator has not enabled rendering.';
    expect(await notes('/a.png')).toEqual([`The picture ${reason}`]);
    expect(await notes('/a.pdf')).toContain(`Page 2 ${reason}`);
  });

  it('has the same result from the store', async () => {
    const cached = { max_age_seconds: 3_600 };
    await callTool('modern', 'web_open', { url: `${SITE}/a.gif` });
    const answer = structured(await callTool('modern', 'web_open', { url: `${SITE}/a.gif`, ...cached }));
    expect(answer).toMatchObject({
      cached: true,
      notes: [`To see the picture, call view_image {"url":"${SITE}/a.gif"}`],
    });
  });
});

describe('the input of the picture renderer', () => {
  it('is the file as fetched, with the type that its bytes prove', async () => {
    const { view, asked } = deployment();
    const viewed = await view('/mislabelled');
    expect(viewed).toMatchObject({ picture: { format: 'PNG', size: { width: 64, height: 48 } } });
    expect(asked).toMatchObject([{ kind: 'picture', mediaType: 'image/png', size: null }]);
  });

  it('has the size of a drawing, which has no pixels', async () => {
    const { view, asked } = deployment();
    await view('/a.svg');
    expect(asked).toMatchObject([{ mediaType: 'image/svg+xml', size: { width: 400, height: 300 } }]);
  });

  it('is a PDF and one of its pages, fetched once for all its pages', async () => {
    const { view, asked } = deployment({}, 2);
    await view('/a.pdf', 1);
    await view('/a.pdf', 2);
    expect(asked.map((file) => file.kind === 'pdf' && file.page)).toEqual([1, 2]);
    expect(asked[1]?.bytes).toBe(asked[0]?.bytes);
    const other = deployment({}, 2);
    await other.view('/a.pdf');
    expect(other.asked[0]?.bytes).not.toBe(asked[0]?.bytes);
  });

  it.each(['/huge.png', '/huge.webp'])('is never a picture with too many pixels: %s', async (path) => {
    const { failure, asked } = deployment();
    expect(await failure(path)).toMatchObject({
      code: 'view_failed',
      reason: expect.stringContaining('more than the 40 million that are drawn'),
    });
    expect(asked).toEqual([]);
  });

  it('is only a picture or a PDF', async () => {
    const { failure, asked } = deployment();
    expect(await failure('/page')).toEqual({ code: 'not_viewable', url: `${SITE}/page`, mediaType: 'text/html' });
    expect(asked).toEqual([]);
  });

  it('passes the gate, robots.txt and the size limit first', async () => {
    const { failure, deps } = deployment();
    expect(await failure('/closed/a.png')).toMatchObject({ code: 'robots_disallowed' });
    expect(await failure('/nothing.png')).toMatchObject({ code: 'http_error', statusCode: 404 });
    const inside = viewFile(
      { url: 'http://10.0.0.1/a.png', page: 1, onFetched: () => undefined },
      AbortSignal.timeout(5_000),
      deps,
    );
    await expect(inside).rejects.toMatchObject({ failure: { code: 'ssrf_blocked' } });
    const small = deployment({ MAX_BYTES: '10000' });
    expect(await small.failure('/large.bmp')).toMatchObject({ code: 'too_large', limitBytes: 10_000 });
  });

  it('may be a stored file, but only of the caller', async () => {
    const { deps } = deployment();
    const url = 'periscope-file:f_0123456789abcdef0123456789abcdef';
    const asked = { url, page: 1, onFetched: () => undefined };
    await expect(viewFile(asked, AbortSignal.timeout(5_000), deps)).rejects.toMatchObject({
      failure: { code: 'unknown_file' },
    });
  });
});

describe('a deployment without a browser', () => {
  it('explains how to view pictures', async () => {
    const { failure } = deployment({ RENDER_ENABLED: 'false' });
    expect(await failure('/a.png')).toMatchObject({ code: 'render_disabled', of: 'picture' });
  });
});
