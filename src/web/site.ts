import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Child } from 'hono/jsx';

/** What a request of these pages comes with. */
export type Site = { Bindings: { ctx: ExecutionContext } };

/** A token for the forms of a page, the cookie it is bound to, and whether a posted one is of this browser. */
export type PageForms = {
  start: (request: Request) => Promise<{ token: string; setCookie: string }>;
  isOurs: (request: Request, token: string) => Promise<boolean>;
};

/** A page about one person or one moment: no cache keeps it. */
export function page(c: Context, content: Child, status: 200 | 403 | 404 | 409): Response | Promise<Response> {
  c.header('Cache-Control', 'no-store');
  return c.html(html`<!doctype html>${content}`, status);
}
