import { Hono } from 'hono';
import { authorizePages } from './consent-pages.tsx';
import { consolePage, secretPages } from '#web/console/secret-pages.tsx';
import { filePages } from '#web/console/file-pages.tsx';
import type { PageDeps } from './page-deps.ts';
import { signInPages } from './sign-in-pages.tsx';
import { tokenPages } from '#web/console/token-pages.tsx';
import { upstreamPages } from './upstream-pages.tsx';

/** For one public origin. */
export function signInAndConsolePages(deps: PageDeps): Hono {
  const app = new Hono();
  app.route('/', signInPages(deps));
  app.route('/', upstreamPages(deps));
  app.route('/', authorizePages(deps));
  app.route('/', consolePage(deps));
  app.route('/', tokenPages(deps));
  app.route('/', filePages(deps));
  app.route('/', secretPages(deps));
  return app;
}
