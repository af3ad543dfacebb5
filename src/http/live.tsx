import { Hono } from 'hono';
import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { LivePort } from '#browsing/live-port.ts';
import { describeFailure } from '#core/describe-failure.ts';
import { PATHS, sessionOfLivePath, signInPath } from '#core/paths.ts';
import { LiveView } from '#pages/live.tsx';
import { Message } from '#pages/message.tsx';
import type { PageForms, Site } from './site.ts';

export type LivePageDeps = {
  /** The public origin. */
  origin: string;
  signedIn: (request: Request) => Promise<{ subject: string } | null>;
  forms: PageForms;
  /** The sessions of whoever is signed in. */
  sessionsOf: (subject: string) => LivePort;
};

/** `/live/<session>`: a browser session as it is now, for the person whose client started it. */
export function livePages(deps: LivePageDeps): Hono<Site> {
  const app = new Hono<Site>();
  app.get(`${PATHS.live}/*`, async (c, next) => {
    const session = sessionOfLivePath(c.req.path);
    if (session === null) return next();
    c.header('cache-control', 'no-store');
    const person = await deps.signedIn(c.req.raw);
    if (person === null) return c.redirect(signInPath(c.req.path));
    const found = await deps.sessionsOf(person.subject).ticket(session, false);
    if ('refused' in found && found.refused === 'unknown') return c.html(page(<Message {...unknown(session)} />), 404);
    const { token, setCookie } = await deps.forms.start(c.req.raw);
    c.header('Set-Cookie', setCookie, { append: true });
    return c.html(page(<LiveView session={session} form={token} />));
  });
  app.post(`${PATHS.live}/*`, async (c, next) => {
    const session = sessionOfLivePath(c.req.path);
    return session === null ? next() : ticket(c, deps, session);
  });
  return app;
}

/** What the page's script is told, as JSON: a ticket, or in words why there is none. */
async function ticket(c: Context<Site>, { signedIn, forms, sessionsOf }: LivePageDeps, session: string) {
  c.header('cache-control', 'no-store');
  const fields = await c.req.formData();
  const form = fields.get('form');
  const person = await signedIn(c.req.raw);
  if (person === null) return c.json({ problem: 'You are signed out. Load the page again to sign in.' }, 401);
  if (typeof form !== 'string' || !(await forms.isOurs(c.req.raw, form))) {
    return c.json({ problem: 'This page was opened in another browser, or too long ago. Load it again.' }, 403);
  }
  const given = await sessionsOf(person.subject).ticket(
    session,
    fields.get('wake') === '1',
    fields.get('here') === '1',
  );
  if ('ticket' in given) return c.json({ ticket: given.ticket });
  if ('failure' in given) return c.json({ problem: describeFailure(given.failure).message }, 503);
  if (given.refused === 'resting') return c.json({ resting: true });
  const [problem, status] = REFUSED[given.refused];
  return c.json({ problem }, status);
}

const REFUSED = {
  unknown: ['This session was closed. A model can start it again.', 404],
  full: ['As many pages show this session as may. Close one of them, then load this page again.', 429],
} as const;

/**
 * The socket of a page, where its request is one: only a page of this origin, with the cookie of the person and a ticket of
 * theirs that nobody has used.
 */
export async function liveSocket(request: Request, deps: () => Promise<LivePageDeps>): Promise<Response | null> {
  const { pathname, searchParams } = new URL(request.url);
  const session = sessionOfLivePath(pathname);
  if (session === null || request.headers.get('upgrade')?.toLowerCase() !== 'websocket') return null;
  const { origin, signedIn, sessionsOf } = await deps();
  if (request.headers.get('origin') !== origin) return refused(403, 'Only a page of this server may open this socket.');
  const person = await signedIn(request);
  if (person === null) return refused(401, 'Sign in first.');
  const of = (name: string) => searchParams.get(name) ?? '';
  return sessionsOf(person.subject).connect(session, request, of('ticket'), of('page'));
}

function refused(status: number, text: string): Response {
  return new Response(text, { status, headers: { 'cache-control': 'no-store' } });
}

function unknown(session: string) {
  return {
    title: 'No such session',
    text: `You have no browser session named “${session}”: it was closed, or it belongs to somebody else. If you use several accounts here, sign in with the one that your client uses.`,
    link: { to: PATHS.console, label: 'Console' },
  };
}

function page(content: Child) {
  return html`<!doctype html>${content}`;
}
