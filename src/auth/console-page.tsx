import { Hono } from 'hono';
import { Console } from '#pages/console.tsx';
import { page, setCookies } from './page-answers.ts';
import type { PageDeps } from './page-deps.ts';
import { MCP_PATH } from './provider.ts';
import { showSignIn } from './sign-in-pages.tsx';

const CONSOLE_PATH = '/console';

/** `/console`: where a signed-in person begins. */
export function consolePage(deps: PageDeps) {
  const app = new Hono();
  app.get(CONSOLE_PATH, async (c) => {
    const session = await deps.sessions.read(c.req.raw);
    if (session === null) return showSignIn(c, deps, { next: CONSOLE_PATH, clientName: '' }, null, 200);
    const { token: form, setCookie } = await deps.sessions.startForm(c.req.raw);
    setCookies(c, [setCookie]);
    return page(c, <Console mcpUrl={deps.origin + MCP_PATH} isOwner={session.owner} form={form} />, 200);
  });
  return app;
}
