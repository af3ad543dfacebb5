import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import { PATHS, signInPath } from '#core/paths.ts';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { failureMessage } from '#core/failures/describe-failure.ts';
import { findFailure } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';

/** A session in which a model waits for the user. `reason` is the model's text. */
export type WaitingRequest = {
  session: string;
  reason: string;
  /** ID of the approval for which the session waits; `null` if the model asks the user to take over. */
  question: string | null;
};

export type SiteEnv = {
  Bindings: {
    ctx: ExecutionContext;
    /** Open requests of models to a user; `null` if they could not be read. */
    waitingFor: (subject: string) => Promise<readonly WaitingRequest[] | null>;
  };
};

export function respondWithPage(
  c: Context,
  content: Child,
  status: ContentfulStatusCode,
): Response | Promise<Response> {
  c.header('Cache-Control', 'no-store');
  return c.html(htmlDocument(content), status);
}

export function htmlDocument(content: Child) {
  return html`<!doctype html>${content}`;
}

export const CONSOLE_LINK = { to: PATHS.console, label: 'Console' };

export function setCookies(c: Context, values: readonly string[]): void {
  for (const value of values) c.header('Set-Cookie', value, { append: true });
}

export function redirectToSignIn(c: Context): Response {
  const { pathname, search } = new URL(c.req.url);
  c.header('Cache-Control', 'no-store');
  return c.redirect(signInPath(pathname + search));
}

export function formText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/** Runs `work`. Returns the text of a failure to show on a page; `null` after success. Throws other errors. */
export async function runForRefusalText(work: () => Promise<string | null>): Promise<string | null> {
  try {
    return await work();
  } catch (error) {
    const failure = findFailure(error);
    if (failure === null) throw error;
    return failureMessage(failure);
  }
}

export const FAILURE_PAGE_TITLE = 'This does not work right now';

/** Text of a failure for a page. @param next instruction for the user, such as "Try again in a moment." */
export function writeFailureText(failure: Failure, next: string): string {
  return `${failureMessage(failure)} ${next}`;
}
