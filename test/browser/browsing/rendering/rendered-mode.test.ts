import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { chooseRendererObjectName } from '#browsing/rendering/port.ts';
import { RENDER_EMPTY_PAGE_WAIT_MS_MAX, RENDER_MS_MAX, RENDERS_CONCURRENT_MAX } from '#browsing/rendering/limits.ts';
import { endBrowser } from '#support/ended-browser.ts';
import { callTool, structured } from '#support/mcp-call.ts';
import type { Answer } from '#support/mcp-call.ts';

const APP = 'http://app.acme.dev';
/** The beginning and the end of a page's story. */
const FIRST = 'under water, number 0 of them.';
const LAST = 'under water, number 11 of them.';

function open(path: string, args: Record<string, unknown> = {}): Promise<Answer> {
  return callTool('modern', 'web_open', { url: APP + path, mode: 'rendered', ...args });
}

const textOf = (answer: Answer) => answer.result?.content?.[0]?.text ?? '';

async function markdown(path: string, args: Record<string, unknown> = {}): Promise<string> {
  return String(structured(await open(path, args))['markdown']);
}

const renderer = () => env.PAGE_RENDERER.get(env.PAGE_RENDERER.idFromName(chooseRendererObjectName(APP)));

/** A busy machine renders each page sooner or later. */
const PATIENCE_MS = 4 * RENDER_MS_MAX;

const limit = (msMax: number) =>
  runInDurableObject(renderer(), (instance) => {
    instance.msMax = msMax;
  });

beforeEach(() => limit(PATIENCE_MS));

/** Renders with this limit. */
async function within(ms: number, render: () => Promise<Answer>): Promise<Answer> {
  await limit(ms);
  return render().finally(() => limit(PATIENCE_MS));
}

function browserId(): Promise<string | undefined> {
  return runInDurableObject(renderer(), (_, state) => state.storage.get<string>('browser'));
}

describe('a page in rendered mode', () => {
  it('includes the content that its scripts fetched, and is reported as rendered', async () => {
    const answer = await open('/fetches', { explain: true });
    const page = structured(answer);
    expect(page['markdown']).toContain(FIRST);
    expect(page['markdown']).toContain(LAST);
    expect(page['markdown']).not.toContain('Loading');
    expect(page['notes']).toEqual(['This page was rendered in a browser, as asked for.']);
    expect(page['explain']).toMatchObject({ rendered: true, render_reason: 'asked' });
    expect(page['timings_ms']).toHaveProperty('render');
    expect(textOf(answer)).toMatch(/^Explain rendered: true$/mu);
  });

  it('is awaited if it needs two seconds before it shows anything', async () => {
    expect(await markdown('/slow')).toContain(LAST);
  });

  it.each([
    ['sets a timer before it asks for its content', '/late-fetch'],
    ['has its content from a worker, in its own time', '/worker'],
  ])('is awaited if it %s', async (_, path) => {
    expect(await markdown(path)).toContain(LAST);
  });

  it('is read at its destination if it redirects after a moment', async () => {
    expect(structured(await open('/goes-on-late'))['url']).toBe(`${APP}/arrived`);
  });

  it('is not awaited if it has little text and loads nothing more', async () => {
    const timeOf = async (path: string, text: string) => {
      const page = structured(await open(path));
      expect(page['markdown']).toContain(text);
      return (page['timings_ms'] as { render: number }).render;
    };
    const usual = await timeOf('/readable', LAST);
    expect((await timeOf('/little', 'Closed for the season.')) - usual).toBeLessThan(RENDER_EMPTY_PAGE_WAIT_MS_MAX);
  });

  it('is read in its current state, within the limit, if it never stops loading', async () => {
    const page = structured(await within(8_000, () => open('/endless')));
    expect(page['markdown']).toContain(LAST);
    expect(page['notes']).toContain('It was still loading when its time was up, so text may be missing.');
  });

  it('is abandoned in time if its script never ends', async () => {
    const given = await within(6_000, () => open('/busy'));
    expect(given.result?.structuredContent).toMatchObject({ error: 'timeout', after_ms: 6_000 });
  });

  it('has the final URL that its scripts navigate to', async () => {
    const page = structured(await open('/goes-on'));
    expect(page['url']).toBe(`${APP}/arrived`);
    expect(page['markdown']).toContain('# Arrived');
  });

  it.each([
    ['/goes-inside', 'ssrf_blocked', 'http://inside.acme.dev/'],
    ['/goes-to-number', 'ssrf_blocked', 'http://127.0.0.1:8080/'],
    ['/goes-to-closed', 'robots_disallowed', 'http://closed.acme.dev/secret'],
  ])('cannot navigate by script to a URL that a fetch may not open: %s', async (path, error, url) => {
    expect((await open(path)).result?.structuredContent).toMatchObject({ error, url });
  });

  it('is read despite requests that the gate refuses', async () => {
    expect(await markdown('/asks')).toContain(LAST);
  });

  it('includes the content of shadow trees and their slots, in order', async () => {
    const text = await markdown('/components');
    expect(text).toContain('In the shadow');
    expect(text.indexOf('in a slot')).toBeGreaterThan(text.indexOf(LAST));
  });

  it('omits text that its style sheets hide', async () => {
    const text = await markdown('/smuggler');
    expect(text).toContain(LAST);
    expect(text).not.toContain('Smuggled');
  });

  it('includes content that appears only on scrolling', async () => {
    expect(await markdown('/on-scroll')).toContain('The end that is shown when it is scrolled to.');
  });

  it('may be so large that only four of them fit into an isolate', async () => {
    const pages = await Promise.all(Array.from({ length: 4 }, (_, n) => markdown(`/large?n=${n}`)));
    expect(pages.filter((text) => text.includes(LAST))).toHaveLength(4);
  });

  it('is reported as larger than the limit, and read as fetched if the mode allows it', async () => {
    expect(textOf(await open('/too-large'))).toContain('larger than 3 MB, the most that can be rendered');
    expect(structured(await open('/too-large', { mode: 'readable' }))['markdown']).toContain(LAST);
  });

  it('is read unchanged if it is not HTML, and a note reports this', async () => {
    const page = structured(await open('/plain.txt', { explain: true }));
    expect(page['markdown']).toContain('Words in a file');
    expect(page['notes']).toEqual(['Only HTML is rendered: this is text/plain, and was read as it is.']);
    expect(page['explain']).toMatchObject({ rendered: false });
  });

  it('costs its site one request for the document', async () => {
    const counts = [await markdown('/counted'), await markdown('/counted')].map(
      (text) => /asked for (\d+) times/u.exec(text)?.[1],
    );
    expect(counts).toEqual(['1', '2']);
  });

  it('comes from the store the second time', async () => {
    const first = structured(await open('/readable'));
    const second = structured(await open('/readable', { max_age_seconds: 600 }));
    expect(second).toMatchObject({ cached: true, snapshot: first['snapshot'], notes: first['notes'] });
  });
});

describe('the renderer', () => {
  it('renders ten pages that are requested at once', async () => {
    const pages = await Promise.all(Array.from({ length: 10 }, (_, n) => markdown(`/fetches?n=${n}`)));
    expect(pages.filter((text) => text.includes(LAST))).toHaveLength(10);
  });

  const busy = { url: `${APP}/busy`, html: '<script>for (;;);</script>', maxBytes: 100_000 };
  const of = (person: string) => ({ person, ownHosts: [] });
  const render = (person: string) => renderer().render(busy, of(person));

  it('charges nothing for a page that only waited for others until its time was up', async () => {
    await limit(6_000);
    const others = Array.from({ length: RENDERS_CONCURRENT_MAX }, (_, at) => render(`u_${at}`));
    await expect.poll(() => renderer().pagesUnderWay()).toBe(RENDERS_CONCURRENT_MAX);
    await limit(100);
    expect(await render('u_late')).toMatchObject({ failure: { code: 'timeout', afterMs: 100 }, ms: 0 });
    await Promise.all(others);
  });

  it('renders the page of a person beside many pages of another that hang', async () => {
    await limit(6_000);
    const hanging = Array.from({ length: 2 * RENDERS_CONCURRENT_MAX }, () => render('u_hanging'));
    await expect.poll(() => renderer().pagesUnderWay()).toBe(hanging.length);
    const page = { ...busy, html: '<p>quick</p>' };
    expect(await renderer().render(page, of('u_other'))).toMatchObject({ result: {} });
    expect(await renderer().pagesUnderWay()).toBe(hanging.length);
    await Promise.all(hanging);
  });

  it('replaces a browser that crashed between two pages, or during a page', async () => {
    expect(await markdown('/readable')).toContain(LAST);
    const first = await browserId();
    await endBrowser(first ?? '');
    expect(await markdown('/readable')).toContain(LAST);
    const second = await browserId();
    expect(second).not.toBe(first);
    const underWay = markdown('/worker');
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await endBrowser(second ?? '');
    expect(await underWay).toContain(LAST);
    expect(await browserId()).not.toBe(second);
  });

  it('ends its browser after a period without use', async () => {
    expect(await markdown('/readable')).toContain(LAST);
    await runInDurableObject(renderer(), async (instance, state) => {
      await instance.alarm();
      expect(await state.storage.get('browser')).toBeDefined();
      const { now } = Date;
      Date.now = () => now() + 60_000;
      await instance.alarm().finally(() => {
        Date.now = now;
      });
      expect(await state.storage.get('browser')).toBeUndefined();
    });
    expect(await markdown('/readable')).toContain(LAST);
  });
});

describe('a page in auto mode', () => {
  const auto = async (path: string, args: Record<string, unknown> = {}) =>
    structured(await open(path, { mode: 'auto', explain: true, ...args }));

  it('is rendered if scripts create it, and reported as rendered', async () => {
    const page = await auto('/fetches');
    expect(page['markdown']).toContain(LAST);
    expect(page['notes']).toEqual(['This page shows its content with scripts, so it was rendered in a browser.']);
    expect(page['explain']).toMatchObject({ rendered: true, render_reason: 'script_shell', needs_scripts: true });
    const again = await auto('/fetches', { max_age_seconds: 600 });
    expect(again).toMatchObject({ cached: true, notes: page['notes'] });
  });

  it('is not rendered if it is readable without scripts', async () => {
    const page = await auto('/readable');
    expect(page['explain']).toMatchObject({ rendered: false });
    expect(page['timings_ms']).not.toHaveProperty('render');
    expect(page['notes']).toEqual([]);
  });

  it('keeps its text when rendering shows less', async () => {
    const page = await auto('/worse');
    expect(page['markdown']).toContain('A few words that stand here');
    expect(page['explain']).toMatchObject({ rendered: false, render_reason: 'script_shell' });
    expect(String(page['notes'])).toContain('showed less text');
  });

  it('keeps its text, and reports the reason, when rendering leads to a forbidden page', async () => {
    const page = await auto('/goes-inside');
    expect(page['markdown']).toContain('Loading');
    expect(String(page['notes'])).toMatch(/rendering it in a browser failed.*not public/u);
    expect(page['explain']).toMatchObject({
      rendered: false,
      render_problem: expect.stringContaining('inside.acme.dev'),
    });
  });
});
