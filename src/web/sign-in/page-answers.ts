import type { Context } from 'hono';
import { html } from 'hono/html';
import { signInPath } from '#core/paths.ts';
import type { Child } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** A page that no cache may keep: it is about one person, one client and one moment. */
export function page(c: Context, content: Child, status: ContentfulStatusCode): Response | Promise<Response> {
  c.header('Cache-Control', 'no-store');
  return c.html(html`<!doctype html>${content}`, status);
}

export function setCookies(c: Context, values: readonly string[]): void {
  for (const value of values) c.header('Set-Cookie', value, { append: true });
}

/** Who is not signed in signs in first, and comes back to this page. */
export function signInFirst(c: Context): Response {
  const { pathname, search } = new URL(c.req.url);
  c.header('Cache-Control', 'no-store');
  return c.redirect(signInPath(pathname + search));
}

/** A text field of a form; empty when it is missing or a file. */
export function fieldOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
