import { abortable } from '#core/flow/abort.ts';
import type { WithoutCuts } from '#core/text/page-texts.ts';
import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { CdpError } from '#browsing/cdp/connection.ts';
import type { DocumentScripts, ElementScripts, HandleScripts, Sendable, Source } from '#browsing/in-page/scripts.ts';
import { AS_DATA, asArguments, callFunction } from './call-function.ts';
import type { Answer, Argument, Manner } from './call-function.ts';
import type { PageElement } from './page-element.ts';
import type { Frame } from './frame.ts';
import { withoutCuts } from './script-texts.ts';
import type { Tab } from './tab.ts';

type OnElement = DocumentScripts & ElementScripts;

/** Runs one of our own scripts on an element. @throws {PeriscopeError} `element_not_found` when the element is gone */
export async function callOn<Name extends keyof OnElement>(
  { frame, objectId, role }: Pick<PageElement, 'frame' | 'objectId' | 'role'>,
  script: Source<Name>,
  args: Parameters<OnElement[Name]> & Sendable,
  signal: AbortSignal,
): Promise<WithoutCuts<ReturnType<OnElement[Name]>>> {
  const answer = callFunction(frame.session, { objectId }, script, asArguments(args), AS_DATA);
  return withoutCuts(script, await valueOf(answer, role, signal), frame.session);
}

/** Runs one of our own scripts in a frame's document. */
export async function callIn<Name extends keyof DocumentScripts>(
  tab: Tab,
  frame: Frame,
  script: Source<Name>,
  args: Parameters<DocumentScripts[Name]> & Sendable,
  signal: AbortSignal,
): Promise<WithoutCuts<ReturnType<DocumentScripts[Name]>>> {
  const executionContextId = await abortable(tab.world(frame), signal).catch((error: unknown) => gone(error, 'page'));
  const answer = callFunction(frame.session, { executionContextId }, script, asArguments(args), AS_DATA);
  return withoutCuts(script, await valueOf(answer, 'page', signal), frame.session);
}

/** For scripts that take or return handles. @returns Chromium's whole answer @throws {CdpError} */
export async function askIn(
  tab: Tab,
  frame: Frame,
  script: Source<keyof (DocumentScripts & HandleScripts)>,
  args: Argument[],
  manner: Manner,
): Promise<Answer> {
  return callFunction(frame.session, { executionContextId: await tab.world(frame) }, script, args, manner);
}

async function valueOf(answer: Promise<Answer>, role: string, signal: AbortSignal) {
  const { result, exceptionDetails } = await abortable(answer, signal).catch((error: unknown) => gone(error, role));
  if (exceptionDetails === undefined) return result.value;
  throw new TypeError(`a page script failed: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
}

/** @throws {PeriscopeError} `element_not_found` when the document or the element is gone; any other error unchanged */
export function gone(error: unknown, role: string): never {
  if (error instanceof CdpError)
    fail({ code: 'element_not_found', target: safeRole(role), reason: 'replaced' }, { cause: error });
  throw error;
}

/** A role as our own words may have it: none that a page made up, and none that only Chromium knows. */
export function safeRole(role: string): string {
  return /^[a-z]{1,40}$/u.test(role) && role !== 'generic' ? role : 'element';
}

/** Whether the page went to another document while our script was to run in it. */
export function isGone(error: unknown): boolean {
  if (!(error instanceof PeriscopeError)) return error instanceof CdpError;
  return error.failure.code === 'element_not_found' && error.failure.reason === 'replaced';
}
