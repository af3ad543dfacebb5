import * as pageScripts from '#generated/page-scripts.js';
import { abortable } from '#core/flow/abort.ts';
import type { WithoutCuts, TextOrigins } from '#core/text/page-texts.ts';
import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { CdpError } from '#browsing/cdp/connection.ts';
import type { PageFunction, JsonArguments, ScriptSource } from '#browsing/in-page/script-types.ts';
import type { PageElement, Frame, Tab } from './tab.ts';
import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '#browsing/cdp/connection.ts';

/**
 * Runs a page script on an element.
 * @throws {PeriscopeError} `element_not_found` if the element is gone
 * @throws the reason of `signal`
 */
export async function callOn<Run extends PageFunction>(
  { frame, objectId, role }: Pick<PageElement, 'frame' | 'objectId' | 'role'>,
  script: ScriptSource<'document' | 'element', Run>,
  args: Parameters<Run> & JsonArguments,
  signal: AbortSignal,
): Promise<WithoutCuts<ReturnType<Run>>> {
  signal.throwIfAborted();
  const answer = callFunction(frame.session, { objectId }, script, asArguments(args), RETURN_BY_VALUE);
  return maskedResult(script, await valueOf(answer, role, signal), frame.session);
}

/**
 * Runs a page script in a frame's document.
 * @throws {PeriscopeError} `element_not_found` if the document is gone
 * @throws the reason of `signal`
 */
export async function callIn<Run extends PageFunction>(
  tab: Tab,
  frame: Frame,
  script: ScriptSource<'document', Run>,
  args: Parameters<Run> & JsonArguments,
  signal: AbortSignal,
): Promise<WithoutCuts<ReturnType<Run>>> {
  const executionContextId = await abortable(tab.world(frame), signal).catch(failElementGone('page'));
  signal.throwIfAborted();
  const answer = callFunction(frame.session, { executionContextId }, script, asArguments(args), RETURN_BY_VALUE);
  return maskedResult(script, await valueOf(answer, 'page', signal), frame.session);
}

/**
 * Runs a page script that takes or returns element handles.
 * @throws {CdpError} if the document is gone
 */
export async function callWithHandles(
  tab: Tab,
  frame: Frame,
  script: ScriptSource<'document' | 'handles', PageFunction>,
  args: Argument[],
  options: CallOptions,
): Promise<CallResponse> {
  return callFunction(frame.session, { executionContextId: await tab.world(frame) }, script, args, options);
}

async function valueOf(answer: Promise<CallResponse>, role: string, signal: AbortSignal) {
  const { result, exceptionDetails } = await abortable(answer, signal).catch(failElementGone(role));
  if (exceptionDetails === undefined) return result.value;
  throw new TypeError(`a page script failed: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
}

/**
 * A handler for `catch`.
 * @throws {PeriscopeError} `element_not_found` for a document or element that is gone; other errors unchanged
 */
export function failElementGone(role: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof CdpError)
      fail({ code: 'element_not_found', target: sanitizeRole(role), reason: 'replaced' }, { cause: error });
    throw error;
  };
}

/** Replaces a role that a page invented, or that only Chromium knows, because errors quote roles without a fence. */
export function sanitizeRole(role: string): string {
  return /^[a-z]{1,40}$/u.test(role) && role !== 'generic' ? role : 'element';
}

export function isGoneError(error: unknown): boolean {
  if (!(error instanceof PeriscopeError)) return error instanceof CdpError;
  return error.failure.code === 'element_not_found' && error.failure.reason === 'replaced';
}

/** A handler for `catch`: returns `value` if the document or element of the call is gone. Rethrows other errors. */
export function ifGone<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (!isGoneError(error)) throw error;
    return value;
  };
}

export const nullIfGone = ifGone(null);

export type CallResponse = Protocol.Runtime.CallFunctionOnResponse;
type Argument = Protocol.Runtime.CallArgument;
type CallOptions = Omit<Protocol.Runtime.CallFunctionOnRequest, 'functionDeclaration' | 'arguments'>;

export const RETURN_BY_VALUE: CallOptions = { awaitPromise: true, returnByValue: true };

export function asArguments(values: JsonArguments): Argument[] {
  return values.map((value) => ({ value }));
}

/**
 * Sends a function into a page. All functions that run in pages are sent here.
 * @throws {CdpError} if the document or the object is gone
 */
export function callFunction(
  session: CdpSession,
  where: { objectId: string } | { executionContextId: number },
  functionDeclaration: string,
  args: Argument[],
  options: CallOptions,
): Promise<CallResponse> {
  return session.send('Runtime.callFunctionOn', { ...where, functionDeclaration, arguments: args, ...options });
}

type Scripts = typeof pageScripts;
/** Result type of a script that takes and returns plain data; `void` for other scripts. */
type Given<Name extends keyof Scripts> =
  Scripts[Name] extends ScriptSource<'document' | 'element', infer Run> ? ReturnType<Run> : void;
type WithText = {
  [Name in keyof Scripts]: Given<Name> extends number | boolean | void | null ? never : Name;
}[keyof Scripts];

const FACTS: TextOrigins<Given<'readActFacts'>> = {
  kind: 'ours',
  name: 'page',
  hints: 'page',
  around: 'page',
  opens: 'page',
  path: 'page',
  form: {
    method: 'ours',
    action: 'page',
    submit: 'page',
    entryButtons: 'page',
    digest: 'ours',
    fields: { type: 'ours', name: 'page', label: 'page', autocomplete: 'page', value: 'page' },
  },
};

const SCRIPT_TEXTS: { readonly [Name in WithText]: TextOrigins<Given<Name>> } = {
  // Not masked, because masking would corrupt them: these results are searched for secrets, or are images and files.
  drawPdf: { problem: 'ours' },
  drawPicture: { problem: 'ours' },
  drawRefLabels: 'ours',
  readAllText: 'ours',
  readControlTexts: 'ours',
  readDownloadChunk: 'ours',
  readEditableTexts: 'ours',
  readLongIdentity: { role: 'ours', url: 'page', name: 'page' },
  readNameAndReferrer: 'ours',

  checkElementVisibility: { state: 'ours', words: 'page' },
  chooseOptions: 'page',
  chosenBehind: 'page',
  classifyClick: 'ours',
  compareElementMarks: 'page',
  describeElement: 'page',
  describeField: { kind: 'ours', type: 'ours', value: 'page' },
  describeFieldState: { kind: 'ours', type: 'ours' },
  detectWall: 'ours',
  findDialogInFront: 'page',
  findVirtualList: 'ours',
  findVisibleMatch: { state: 'ours', words: 'page' },
  findVisibleText: { state: 'ours', words: 'page' },
  listSelectOptions: 'page',
  listUnsavedFields: 'page',
  measureText: 'page',
  openDownloadStream: 'page',
  putFile: { outcome: 'ours' },
  readActFacts: FACTS,
  readActFactsAt: FACTS,
  readClickGuard: { accepted: 'ours', refused: 'ours' },
  readDatalist: 'page',
  readFocusKind: 'ours',
  readFocusedActFacts: FACTS,
  readFrameStorage: 'page',
  readSelectFacts: FACTS,
  readSelectedText: 'page',
  readVisibleText: { words: 'page' },
  scrollListToOption: 'page',
  scrollNearestPane: 'page',
  serializeHtml: 'page',
  serializeVisibleHtml: 'page',
  setFieldValue: 'page',
  takeAnnouncements: 'page',
  takeInvalidFields: 'page',
  tickState: { state: 'ours' },
  // Not masked, because these origins are compared with the sites of a secret.
  typeSecret: { state: 'ours', origins: 'ours' },
  viewport: 'page',
  waitForClickPoint: { state: 'ours', by: 'page', where: 'ours', changed: 'ours' },
};

const BY_SOURCE: ReadonlyMap<string, unknown> = new Map(
  Object.entries(SCRIPT_TEXTS).flatMap(([name, texts]) =>
    Object.entries(pageScripts).flatMap(([script, source]) => (script === name ? [[source, texts]] : [])),
  ),
);

function maskedResult<T>(source: string, given: T, session: CdpSession): WithoutCuts<T>;
function maskedResult(source: string, given: unknown, session: CdpSession): unknown {
  return session.maskedAs(given, BY_SOURCE.get(source) ?? 'page');
}
