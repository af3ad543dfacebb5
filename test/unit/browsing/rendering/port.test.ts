import { describe, expect, it } from 'vitest';
import type { CallCosts } from '#core/budgets.ts';
import { fail, PeriscopeError } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import { RENDERED_HTML_BYTES_MAX } from '#core/limits.ts';
import { RENDERER_OBJECT_COUNT } from '#core/limits.ts';
import { DRAW_FILE_BYTES_MAX } from '#browsing/rendering/limits.ts';
import { createDrawPort, chooseRendererObjectName, createRenderPort } from '#browsing/rendering/port.ts';
import type { RenderedPage } from '#browsing/rendering/render-browser.ts';
import type { RenderReply } from '#browsing/rendering/renderer-object.ts';

const URL = 'https://a.dev/';
const RENDERED = { html: '<p>x</p>', isCut: false, finalUrl: URL, documentUrl: URL, stillLoading: false };
const PAGE = { url: 'https://a.dev/', html: '' };
const EMPTY: Failure = { code: 'rate_limited', budget: 'b', scope: 'subject', setting: 'S', retryAfterSeconds: 1 };

/** A renderer for a user with this much browser time left. */
function renderer(outcome: RenderReply<RenderedPage>, left = Infinity) {
  const seen = { spent: [] as number[], rendered: 0, left, maxBytes: 0 };
  const spend = async ({ browser_ms: ms = 0 }: CallCosts) => {
    if (ms > seen.left) fail(EMPTY);
    seen.left -= ms;
    seen.spent.push(ms);
  };
  const render = createRenderPort({
    object: () => ({
      render: async ({ maxBytes }) => {
        seen.rendered += 1;
        seen.maxBytes = maxBytes;
        return outcome;
      },
    }),
    budgets: { spend },
    forWhom: { person: 'u_ana', ownHosts: [] },
    maxBytes: 20_000_000,
  });
  return { seen, render: (html = '') => render({ ...PAGE, html }) };
}

async function failureOf(promise: Promise<unknown>): Promise<Failure | undefined> {
  const error = await promise.catch((thrown: unknown) => thrown);
  return error instanceof PeriscopeError ? error.failure : undefined;
}

describe('rendering for a caller', () => {
  it('is paid one second ahead, and the remainder afterwards', async () => {
    const { seen, render } = renderer({ result: RENDERED, ms: 3_400.2 });
    expect(await render()).toEqual({ ...RENDERED, ms: 3_400.2 });
    expect(seen.spent).toEqual([1_000, 2_401]);
  });

  it('costs at least one second', async () => {
    const { seen, render } = renderer({ result: RENDERED, ms: 200 });
    await render();
    expect(seen.spent).toEqual([1_000]);
  });

  it('is refused to a user without browser time, before a browser is started', async () => {
    const { seen, render } = renderer({ result: RENDERED, ms: 200 }, 999);
    expect(await failureOf(render())).toEqual(EMPTY);
    expect(seen.rendered).toBe(0);
  });

  it('returns a page to a user whose remaining browser time covers its start', async () => {
    const { seen, render } = renderer({ result: RENDERED, ms: 9_000 }, 1_500);
    expect(await render()).toMatchObject(RENDERED);
    expect(seen.left).toBe(500);
  });

  it('costs the time it took, even when it failed', async () => {
    const failure: Failure = { code: 'timeout', what: 'Rendering the page', afterMs: 15_000 };
    const { seen, render } = renderer({ failure, ms: 15_000 });
    expect(await failureOf(render())).toEqual(failure);
    expect(seen.spent).toEqual([1_000, 14_000]);
  });

  it.each(['a', 'ä', '語', '😀'])(
    'accepts a page of %s up to a quarter of an isolate, and no larger one',
    async (char) => {
      const { seen, render } = renderer({ result: RENDERED, ms: 200 });
      const fits = char.repeat(RENDERED_HTML_BYTES_MAX / new TextEncoder().encode(char).length);
      expect(await render(fits)).toMatchObject(RENDERED);
      expect(seen.maxBytes).toBe(RENDERED_HTML_BYTES_MAX);
      expect(await failureOf(render(`${fits}x`))).toMatchObject({
        code: 'render_failed',
        reason: expect.stringContaining('3 MB'),
      });
      expect(seen).toMatchObject({ rendered: 1, spent: [1_000] });
    },
  );
});

describe('a file to be drawn', () => {
  it('is charged like a page, and refused if the browser cannot accept it at once', async () => {
    const spent: number[] = [];
    const drawn = { jpegBase64: '', width: 1, height: 1, bytes: 1, pages: null, leftOut: 0, isDark: false };
    const draw = createDrawPort({
      object: () => ({ draw: async () => ({ result: drawn, ms: 1_600 }) }),
      budgets: { spend: async ({ browser_ms: ms = 0 }) => void spent.push(ms) },
      forWhom: { person: 'u_ana', ownHosts: [] },
    });
    const file = (bytes: number) =>
      ({ url: URL, bytes: new Uint8Array(bytes), mediaType: 'image/png', kind: 'picture', size: null }) as const;
    expect(await draw(file(9))).toBe(drawn);
    expect(spent).toEqual([1_000, 600]);
    await expect(draw(file(DRAW_FILE_BYTES_MAX + 1))).rejects.toMatchObject({ failure: { code: 'too_large' } });
    expect(spent).toHaveLength(2);
  });
});

describe('the renderer of a page', () => {
  it('is the same for a whole host, and four renderers share the hosts', () => {
    expect(chooseRendererObjectName('https://a.dev/one?two#three')).toBe(
      chooseRendererObjectName('http://a.dev:8080/'),
    );
    const hosts = Array.from({ length: 400 }, (_, n) => chooseRendererObjectName(`https://site-${n}.example/`));
    const shares = Map.groupBy(hosts, (name) => name);
    expect(shares.size).toBe(RENDERER_OBJECT_COUNT);
    for (const share of shares.values()) expect(share.length).toBeGreaterThan(400 / RENDERER_OBJECT_COUNT / 2);
  });
});
