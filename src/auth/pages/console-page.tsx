import { Hono } from 'hono';
import { Console } from '#pages/console.tsx';
import { page, signInFirst } from './page-answers.ts';
import { visitorOf } from './own-form.tsx';
import type { PageDeps } from './page-deps.ts';
import { PATHS } from '#core/paths.ts';

/** `/console`: where a signed-in person begins. */
export function consolePage(deps: PageDeps) {
  const app = new Hono();
  app.get(PATHS.console, async (c) => {
    const person = await deps.signIns.read(c.req.raw);
    if (person === null) return signInFirst(c);
    return page(c, <Console mcpUrl={deps.origin + PATHS.mcp} visitor={await visitorOf(c, deps, person)} />, 200);
  });
  return app;
}
