import { fail, PeriscopeError } from '#core/errors.ts';
import { abortable } from '#core/abortable.ts';
import type { Json, PageScript } from '#browsing/in-page/page-script.ts';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import { CdpError } from '#browsing/cdp/connection.ts';
import type { PageElement } from './page-element.ts';
import type { Frame, Tab } from './tab.ts';

/** Runs one of our own scripts with the element as `this`. */
export function callOn<A extends readonly Json[], R>(
  { frame, objectId, role }: Pick<PageElement, 'frame' | 'objectId' | 'role'>,
  script: PageScript<A, R>,
  args: A,
  signal: AbortSignal,
): Promise<Awaited<R>> {
  return call(frame.session, { objectId }, script, args, role, signal);
}

/** The same in a frame's document, without an element. */
export async function callIn<A extends readonly Json[], R>(
  tab: Tab,
  frame: Frame,
  script: PageScript<A, R>,
  args: A,
  signal: AbortSignal,
): Promise<Awaited<R>> {
  const executionContextId = await abortable(tab.world(frame), signal).catch((error: unknown) => gone(error, 'page'));
  return call(frame.session, { executionContextId }, script, args, 'page', signal);
}

async function call<A extends readonly Json[], R>(
  session: CdpSession,
  where: { objectId: string } | { executionContextId: number },
  script: PageScript<A, R>,
  args: A,
  role: string,
  signal: AbortSignal,
): Promise<Awaited<R>> {
  const sent = session.send('Runtime.callFunctionOn', {
    ...where,
    functionDeclaration: script.source,
    arguments: args.map((value) => ({ value })),
    awaitPromise: true,
    returnByValue: true,
  });
  const { result, exceptionDetails } = await abortable(sent, signal).catch((error: unknown) => gone(error, role));
  if (exceptionDetails === undefined) return result.value;
  throw new TypeError(`a page script failed: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
}

/** @throws {PeriscopeError} `element_not_found` when the document or the element went away; anything else as it is */
export function gone(error: unknown, role: string): never {
  if (error instanceof CdpError)
    fail({ code: 'element_not_found', target: safeRole(role), reason: 'replaced' }, { cause: error });
  throw error;
}

/** Roles are Chromium's own words, unless a page made one up. */
export function safeRole(role: string): string {
  return /^[A-Za-z]{1,40}$/u.test(role) ? role : 'element';
}

/** Whether the page went to another document while a script of ours was to run in it. */
export function isGone(error: unknown): boolean {
  if (!(error instanceof PeriscopeError)) return error instanceof CdpError;
  return error.failure.code === 'element_not_found' && error.failure.reason === 'replaced';
}
