import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Child } from 'hono/jsx';

/** A page about one person or one moment: no cache keeps it. */
export function page(c: Context, content: Child, status: 200 | 403 | 404 | 409): Response | Promise<Response> {
  c.header('Cache-Control', 'no-store');
  return c.html(html`<!doctype html>${content}`, status);
}
