import { describe, expect, it } from 'vitest';
import type { Costs } from '#core/budgets.ts';
import { fail, PeriscopeError } from '#core/errors.ts';
import type { Failure } from '#core/errors.ts';
import { renderPort } from '#browsing/rendering/port.ts';
import type { RenderOutcome } from '#browsing/rendering/renderer-object.ts';

const RENDERED = { html: '<p>x</p>', isCut: false, finalUrl: 'https://a.dev/', stillLoading: false };
const PAGE = { url: 'https://a.dev/', html: '' };
const EMPTY: Failure = { code: 'rate_limited', budget: 'b', scope: 'subject', setting: 'S', retryAfterSeconds: 1 };

/** A renderer for somebody with so much browser time left. */
function renderer(outcome: RenderOutcome, left = Infinity) {
  const seen = { spent: [] as number[], rendered: 0, left };
  const spend = async ({ browser_ms: ms = 0 }: Costs) => {
    if (ms > seen.left) fail(EMPTY);
    seen.left -= ms;
    seen.spent.push(ms);
  };
  const render = renderPort({
    object: () => ({
      render: async () => {
        seen.rendered += 1;
        return outcome;
      },
    }),
    budgets: { spend, check: async () => undefined },
    ownHosts: [],
    maxBytes: 1_000,
  });
  return { seen, render: () => render(PAGE) };
}

async function failureOf(promise: Promise<unknown>): Promise<Failure | undefined> {
  const error = await promise.catch((thrown: unknown) => thrown);
  return error instanceof PeriscopeError ? error.failure : undefined;
}

describe('rendering for somebody', () => {
  it('is paid for a second ahead, and the rest afterwards', async () => {
    const { seen, render } = renderer({ rendered: RENDERED, ms: 3_400.2 });
    expect(await render()).toEqual({ ...RENDERED, ms: 3_400.2 });
    expect(seen.spent).toEqual([1_000, 2_401]);
  });

  it('costs a second at least', async () => {
    const { seen, render } = renderer({ rendered: RENDERED, ms: 200 });
    await render();
    expect(seen.spent).toEqual([1_000]);
  });

  it('is refused to who has no time left, before a browser is asked', async () => {
    const { seen, render } = renderer({ rendered: RENDERED, ms: 200 }, 999);
    expect(await failureOf(render())).toEqual(EMPTY);
    expect(seen.rendered).toBe(0);
  });

  it('gives a page to who has paid its beginning', async () => {
    const { seen, render } = renderer({ rendered: RENDERED, ms: 9_000 }, 1_500);
    expect(await render()).toMatchObject(RENDERED);
    expect(seen.left).toBe(500);
  });

  it('costs what it took when it failed, too', async () => {
    const failure: Failure = { code: 'timeout', what: 'Rendering the page', afterMs: 15_000 };
    const { seen, render } = renderer({ failure, ms: 15_000 });
    expect(await failureOf(render())).toEqual(failure);
    expect(seen.spent).toEqual([1_000, 14_000]);
  });
});
