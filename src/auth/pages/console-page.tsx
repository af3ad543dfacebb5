import { Hono } from 'hono';
import { Console } from '#pages/console.tsx';
import { page, setCookies } from './page-answers.ts';
import type { PageDeps } from './page-deps.ts';
import { PATHS } from '#core/paths.ts';
import { showSignIn } from './sign-in-pages.tsx';

/** `/console`: where a signed-in person begins. */
export function consolePage(deps: PageDeps) {
  const app = new Hono();
  app.get(PATHS.console, async (c) => {
    const person = await deps.signIns.read(c.req.raw);
    if (person === null) return showSignIn(c, deps, { next: PATHS.console, clientName: '' }, null, 200);
    const { token: form, setCookie } = await deps.signIns.startForm(c.req.raw);
    setCookies(c, [setCookie]);
    return page(c, <Console mcpUrl={deps.origin + PATHS.mcp} isOwner={person.owner} form={form} />, 200);
  });
  return app;
}
