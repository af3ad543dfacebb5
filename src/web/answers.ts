import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import { signInPath } from '#core/paths.ts';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { messageOf } from '#core/failures/describe-failure.ts';
import { failureIn } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';

/** A session in which a model waits for its person. `reason` is the model's. */
export type Waiting = { session: string; reason: string };

/** The Hono environment of all pages. */
export type Site = {
  Bindings: {
    ctx: ExecutionContext;
    /** What models ask of a person now; `null` where that could not be found out. */
    waitingFor: (subject: string) => Promise<readonly Waiting[] | null>;
  };
};

/** Answers with a page that no cache may store. */
export function page(c: Context, content: Child, status: ContentfulStatusCode): Response | Promise<Response> {
  c.header('Cache-Control', 'no-store');
  return c.html(html`<!doctype html>${content}`, status);
}

export function setCookies(c: Context, values: readonly string[]): void {
  for (const value of values) c.header('Set-Cookie', value, { append: true });
}

/** Redirects to sign-in, which leads back to this page. */
export function signInFirst(c: Context): Response {
  const { pathname, search } = new URL(c.req.url);
  c.header('Cache-Control', 'no-store');
  return c.redirect(signInPath(pathname + search));
}

/** The text of a form field; empty when it is missing or a file. */
export function fieldOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/** Runs `work` and words its failure for a page. `null` when it succeeded; unexpected errors are thrown. */
export async function refusalText(work: () => Promise<string | null>): Promise<string | null> {
  try {
    return await work();
  } catch (error) {
    const failure = failureIn(error);
    if (failure === null) throw error;
    return messageOf(failure);
  }
}

/** Title of the page for a failed part of the platform. */
export const FAILED_TITLE = 'This does not work right now';

/** @param next what the person can do */
export function failedText(failure: Failure, next: string): string {
  return `${messageOf(failure)} ${next}`;
}
