import type { Budgets } from '#core/budgets.ts';
import { PartFailed, PeriscopeError, fail } from '#core/failures/failure.ts';
import { RENDERED_HTML_BYTES_MAX, RENDERER_OBJECT_COUNT, SECOND_MS } from '#core/limits.ts';
import { redactUrl } from '#core/secrets/secret-addresses.ts';
import type { RenderedPage, PageToRender } from './render-browser.ts';
import type { DrawnFile, FileToDraw } from '#core/document/file-facts.ts';
import { DRAW_FILE_BYTES_MAX } from './limits.ts';
import type { ForWhom, RenderReply } from './renderer-object.ts';

const RENDER_PAID_AHEAD_MS = 1 * SECOND_MS;

type Renderer = {
  render: (page: PageToRender, forWhom: ForWhom) => Promise<RenderReply<RenderedPage>>;
  draw: (request: FileToDraw, forWhom: ForWhom) => Promise<RenderReply<DrawnFile>>;
};

type PortDeps<Work extends keyof Renderer> = {
  object: (name: string) => Pick<Renderer, Work>;
  budgets: Budgets;
  forWhom: ForWhom;
};

/**
 * Renders a page. The caller's budget pays for one second of browser time in advance, and for the remaining time
 * afterwards.
 * @throws {PeriscopeError} `rate_limited` if no browser time is left; the failure of the rendering
 */
export function createRenderPort({ object, budgets, forWhom, maxBytes }: PortDeps<'render'> & { maxBytes: number }) {
  return async (page: { url: string; html: string }): Promise<RenderedPage & { ms: number }> => {
    checkSize(page);
    const { result, ms } = await paid(budgets, () => {
      const within = { ...page, maxBytes: Math.min(maxBytes, RENDERED_HTML_BYTES_MAX) };
      return object(chooseRendererObjectName(page.url)).render(within, forWhom);
    });
    return { ...result, ms };
  };
}

/** Draws images and pages of PDFs. Same payment and errors as {@link createRenderPort}. */
export function createDrawPort({ object, budgets, forWhom }: PortDeps<'draw'>) {
  return async (request: FileToDraw): Promise<DrawnFile> => {
    const { url, bytes } = request;
    if (bytes.byteLength > DRAW_FILE_BYTES_MAX) {
      fail({ code: 'too_large', url: redactUrl(url), limitBytes: DRAW_FILE_BYTES_MAX });
    }
    const { result } = await paid(budgets, () => object(chooseRendererObjectName(url)).draw(request, forWhom));
    return result;
  };
}

async function paid<Result>(budgets: Budgets, work: () => Promise<RenderReply<Result>>) {
  await budgets.spend({ browser_ms: RENDER_PAID_AHEAD_MS });
  const reply = await work().catch(notAnswered);
  await payRest(budgets, reply.ms - RENDER_PAID_AHEAD_MS);
  return 'result' in reply ? reply : fail(reply.failure);
}

/** Chooses a renderer by host, so that a slow site delays only the sites that share its renderer. */
export function chooseRendererObjectName(url: string): string {
  const bytes = new TextEncoder().encode(new URL(url).hostname);
  const sum = bytes.reduce((hash, byte) => (hash * 31 + byte) % 65_521, 7);
  return `renderer ${sum % RENDERER_OBJECT_COUNT}`;
}

function checkSize({ url, html }: { url: string; html: string }): void {
  if (html.length <= RENDERED_HTML_BYTES_MAX / 3 || new TextEncoder().encode(html).length <= RENDERED_HTML_BYTES_MAX)
    return;
  const reason = `its document is larger than ${RENDERED_HTML_BYTES_MAX / 1_000_000} MB, the most that can be rendered; other modes can read it`;
  fail({ code: 'render_failed', url: redactUrl(url), reason });
}

/** Charges the remaining time. If it exceeds the caller's budget, the caller still gets the page. */
async function payRest(budgets: Budgets, ms: number): Promise<void> {
  try {
    if (ms > 0) await budgets.spend({ browser_ms: Math.ceil(ms) });
  } catch (error) {
    if (!(error instanceof PeriscopeError)) throw error;
  }
}

/**
 * Fails because the renderer did not answer: a deploy or a crash can end the Durable Object while it renders. The
 * caller can still read the page unrendered.
 */
function notAnswered(error: unknown): never {
  if (!(error instanceof PartFailed)) throw error;
  const reason = error.overloaded ? 'too many pages are waiting for the browser' : 'the browser did not answer';
  return fail({ code: 'render_failed', reason }, { cause: error });
}
