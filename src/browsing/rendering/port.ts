import type { Budgets } from '#core/budgets.ts';
import { PartFailed, PeriscopeError, fail } from '#core/failures/failure.ts';
import { RENDER_BYTES_MAX, RENDERERS, SECOND_MS } from '#core/limits.ts';
import { redactUrl } from '#core/secrets/secret-addresses.ts';
import type { Rendered, PageToRender } from './render-browser.ts';
import type { RenderReply } from './renderer-object.ts';

/** Browser time that is paid for in advance; the rest is paid afterwards. */
const RENDER_PAID_AHEAD_MS = 1 * SECOND_MS;

export type RenderDeps = {
  object: (name: string) => { render: (page: PageToRender, ownHosts: readonly string[]) => Promise<RenderReply> };
  budgets: Budgets;
  ownHosts: readonly string[];
  maxBytes: number;
};

/**
 * The caller pays for one second of browser time in advance, and for the rest afterwards.
 * @throws {PeriscopeError} `rate_limited` when no browser time is left; the failure of the rendering
 */
export function renderPort({ object, budgets, ownHosts, maxBytes }: RenderDeps) {
  return async (page: { url: string; html: string }): Promise<Rendered & { ms: number }> => {
    checkSize(page);
    await budgets.spend({ browser_ms: RENDER_PAID_AHEAD_MS });
    const outcome = await object(rendererOf(page.url))
      .render({ ...page, maxBytes: Math.min(maxBytes, RENDER_BYTES_MAX) }, ownHosts)
      .catch(notAnswered);
    await payRest(budgets, outcome.ms - RENDER_PAID_AHEAD_MS);
    return 'rendered' in outcome ? { ...outcome.rendered, ms: outcome.ms } : fail(outcome.failure);
  };
}

/** By host, so that a slow site delays only some of the others. */
export function rendererOf(url: string): string {
  const bytes = new TextEncoder().encode(new URL(url).hostname);
  const sum = bytes.reduce((hash, byte) => (hash * 31 + byte) % 65_521, 7);
  return `renderer ${sum % RENDERERS}`;
}

function checkSize({ url, html }: { url: string; html: string }): void {
  if (html.length <= RENDER_BYTES_MAX / 3 || new TextEncoder().encode(html).length <= RENDER_BYTES_MAX) return;
  const reason = `its document is larger than ${RENDER_BYTES_MAX / 1_000_000} MB, the most that can be rendered; other modes can read it`;
  fail({ code: 'render_failed', url: redactUrl(url), reason });
}

/** A caller whose budget ends with this page still gets the page. */
async function payRest(budgets: Budgets, ms: number): Promise<void> {
  try {
    if (ms > 0) await budgets.spend({ browser_ms: Math.ceil(ms) });
  } catch (error) {
    if (!(error instanceof PeriscopeError)) throw error;
  }
}

/** A deploy or a crash can end the object in the middle of a page, which can be read without rendering. */
function notAnswered(error: unknown): never {
  if (!(error instanceof PartFailed)) throw error;
  const reason = error.overloaded ? 'too many pages are waiting for the browser' : 'the browser did not answer';
  return fail({ code: 'render_failed', reason }, { cause: error });
}
