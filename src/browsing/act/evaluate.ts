import * as z from 'zod';
import type { Protocol } from 'devtools-protocol';
import { fail } from '#core/failures/failure.ts';
import { SECOND_MS } from '#core/limits.ts';
import { sanitizeJson, sanitizeText } from '#core/text/plain.ts';
import * as pageScripts from '#generated/page-scripts.js';
import type { Tab, PageContext, PageElement } from '#browsing/tabs/tab.ts';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import { abortable, withTimeout, resolveWithin } from '#core/flow/abort.ts';
import {
  RETURN_BY_VALUE,
  asArguments,
  callFunction,
  failElementGone,
  sanitizeRole,
} from '#browsing/tabs/call-in-page.ts';
import { failOnScriptTimeout, unblockRenderer } from './hanging-page.ts';
import { fenceQuote } from './reach.ts';
import { trimEndMatching } from '#core/text/text.ts';

/** Maximum characters of a script's result as JSON, so that the result with its fence fits into a tool result. */
export const EVALUATE_RESULT_CHARS_MAX = 20_000;
const EVALUATE_RESULT_DEPTH_MAX = 8;

/** Result of a script. `json` is page text that still needs a fence. It is valid JSON unless `isCut`. */
export type EvaluateResult = { json: string; isCut: boolean };
/** `context`: execution context of the element's document or, without an element, of the tab's main document. */
type Where = { tab: Tab; element: PageElement | null; context: PageContext };
/** Maximum duration of {@link unblockRenderer}. */
const STOP_MS_MAX = 9 * SECOND_MS;
const RESULT_LIMITS = [EVALUATE_RESULT_CHARS_MAX, EVALUATE_RESULT_DEPTH_MAX];

type Answer = { result: Protocol.Runtime.RemoteObject; exceptionDetails?: Protocol.Runtime.ExceptionDetails };

/**
 * Runs a script in the page's own world, in the document of the tab or of the element. The script is an expression, a
 * function (called with the element), or statements. The result of statements is the value that they `return`, or
 * without an element also their last value. Promises are awaited.
 * @throws {PeriscopeError} `invalid_argument` if it is not JavaScript; `script_failed` if it threw, took too long or
 * hung the page; `element_not_found` if the document was replaced meanwhile
 */
export async function evaluate(
  { tab, element, context }: Where,
  script: string,
  { timeoutMs }: { timeoutMs: number },
  signal: AbortSignal,
): Promise<EvaluateResult> {
  const frame = element?.frame ?? tab.main();
  const ran = resolveWithin(run({ tab, element, context }, script.trim(), signal), timeoutMs, signal);
  const answer = await ran.catch(async (error: unknown) => {
    // A script in a loop continues after an abort and would block the page for the next call.
    if (signal.aborted)
      await withTimeout(STOP_MS_MAX, (late) => Promise.allSettled([unblockRenderer(tab, frame, late)]));
    throw error;
  });
  if (answer === null) return failOnScriptTimeout(tab, frame, timeoutMs, signal);
  if (answer.exceptionDetails !== undefined) return refuseScript(answer.exceptionDetails, frame.session);
  const given = shown.safeParse(answer.result.value);
  if (!given.success) return fail({ code: 'script_failed', reason: 'the page has changed how its values are written' });
  return { json: plainText(frame.session.masked(given.data.json)), isCut: given.data.isCut };
}

/** Validates the result, because the page may have replaced functions that `toJson` uses. */
const shown = z.object({
  json: z.object({ uncut: z.string(), leftOut: z.array(z.tuple([z.number(), z.number()])) }),
  isCut: z.boolean(),
});

export function refuseBlockedScript(script: string): void {
  const blocked = findBlockedPattern(script);
  if (blocked !== null) fail({ code: 'script_blocked', reason: `${blocked} is not allowed in a script` });
}

/**
 * Cleans each string before encoding, because a line separator in a string must not become a line end of the JSON text.
 */
function plainText(json: string): string {
  try {
    return JSON.stringify(sanitizeJson(JSON.parse(json)));
  } catch {
    return sanitizeText(json);
  }
}

/**
 * Tries an expression, statements (without an element) and a function body one after another. This is safe, because
 * nothing has run after a syntax error.
 */
async function run({ tab, element, context }: Where, script: string, signal: AbortSignal): Promise<Answer> {
  const objectId = element === null ? await windowHandle(tab, context, signal) : await ownHandle(element, signal);
  const session = element?.frame.session ?? tab.session;
  const call = (body: string) => runAsFunction(session, objectId, body, signal);
  const asValue = await call(`return (${trimEndMatching(script, /;/)}\n)`);
  if (!isSyntaxError(asValue)) return asValue;
  if (element === null) {
    const asStatements = await evaluateStatements(tab, context, script, signal);
    if (!isSyntaxError(asStatements)) return asStatements;
  }
  return call(script);
}

async function runAsFunction(
  session: CdpSession,
  objectId: string,
  body: string,
  signal: AbortSignal,
): Promise<Answer> {
  const declaration = `async function(charsMax, depthMax) {
      const element = this === globalThis ? undefined : this;
      const given = await (async (charsMax, depthMax) => { ${body}
      })();
      const value = typeof given === 'function' ? await given(element) : given;
      return (${pageScripts.toJson})(value, charsMax, depthMax);
    }`;
  signal.throwIfAborted();
  const manner = { ...RETURN_BY_VALUE, userGesture: true };
  const sent = callFunction(session, { objectId }, declaration, asArguments(RESULT_LIMITS), manner);
  return abortable(sent, signal).catch(failElementGone('page'));
}

/** Runs statements by CDP, which returns their last value and allows `await` at the top level. */
async function evaluateStatements(
  tab: Tab,
  context: PageContext,
  script: string,
  signal: AbortSignal,
): Promise<Answer> {
  signal.throwIfAborted();
  const evaluated = tab.session.send('Runtime.evaluate', {
    expression: script,
    uniqueContextId: context.uniqueId,
    replMode: true,
    awaitPromise: true,
    userGesture: true,
    // Requests only the object id, because the value itself could be of any size.
    serializationOptions: { serialization: 'idOnly' },
  });
  const answer = await abortable(evaluated, signal).catch(failElementGone('page'));
  const { objectId } = answer.result;
  if (answer.exceptionDetails !== undefined || objectId === undefined) return shownPrimitive(answer);
  const declaration = `async function(given, charsMax, depthMax) {
      const value = typeof given === 'function' ? await given() : given;
      return (${pageScripts.toJson})(value, charsMax, depthMax);
    }`;
  const where = { objectId: await windowHandle(tab, context, signal) };
  const sent = callFunction(
    tab.session,
    where,
    declaration,
    [{ objectId }, ...asArguments(RESULT_LIMITS)],
    RETURN_BY_VALUE,
  );
  return abortable(sent, signal).catch(failElementGone('page'));
}

function shownPrimitive(answer: Answer): Answer {
  const { value, unserializableValue } = answer.result;
  const json = JSON.stringify(unserializableValue ?? value ?? null);
  const isCut = json.length > EVALUATE_RESULT_CHARS_MAX;
  const leftOut = isCut ? [[EVALUATE_RESULT_CHARS_MAX, json.length]] : [];
  return { ...answer, result: { type: 'object', value: { json: { uncut: json, leftOut }, isCut } } };
}

async function windowHandle({ session }: Tab, { uniqueId }: PageContext, signal: AbortSignal): Promise<string> {
  const sent = session.send('Runtime.evaluate', { expression: 'globalThis', uniqueContextId: uniqueId });
  const { result } = await abortable(sent, signal).catch(failElementGone('page'));
  return result.objectId ?? fail({ code: 'element_not_found', target: 'page', reason: 'replaced' });
}

async function ownHandle({ frame, backendNodeId, role }: PageElement, signal: AbortSignal): Promise<string> {
  const sent = frame.session.send('DOM.resolveNode', { backendNodeId });
  const { object } = await abortable(sent, signal).catch(failElementGone(role));
  return object.objectId ?? fail({ code: 'element_not_found', target: sanitizeRole(role), reason: 'replaced' });
}

/** True for a syntax error. V8 reports it without a stack trace, because nothing has run. */
function isSyntaxError({ exceptionDetails }: Answer): boolean {
  return exceptionDetails?.exception?.className === 'SyntaxError' && exceptionDetails.stackTrace === undefined;
}

async function refuseScript(details: Protocol.Runtime.ExceptionDetails, session: CdpSession): Promise<never> {
  const { exception, text } = details;
  const said = (exception?.description ?? String(exception?.value ?? text)).split('\n    at ')[0] ?? text;
  const quoted = await fenceQuote(session.masked(said));
  if (isSyntaxError({ result: { type: 'undefined' }, exceptionDetails: details })) {
    const hint = 'Pass an expression, a function such as () => document.title, or statements that return a value.';
    return fail({ code: 'invalid_argument', field: 'script', problem: 'this is not valid JavaScript', hint, quoted });
  }
  return fail({ code: 'script_failed', reason: 'it threw an error, quoted here', quoted });
}

/**
 * Constructs that a script may not use. This is not a security boundary, because code can be written in more ways than
 * a list can cover. The boundary is the session, which has only the caller's data, and the gate before every request.
 * The list keeps an honest script from reading secrets and from running code in strings.
 */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/eval\s*\(/u, 'eval'],
  [/(?<![\w$.])eval(?![\w$])/u, 'eval'],
  [/\.eval(?![\w$])/u, 'eval'],
  [/Function\s*\(/u, 'Function('],
  [/(?<![\w$])Function\s*(?:\?\.|[`)\]]|\.\s*(?:call|apply|bind)(?![\w$]))/u, 'Function('],
  [/\.constructor\s*\.\s*constructor(?![\w$])/u, 'Function('],
  [/document\s*(?:\?\s*)?\.\s*cookie/u, 'document.cookie'],
  [
    /(?<![\w$])cookie(?:Store)?(?![\w$])\s*(?:\}|,|:)[^;]{0,200}=\s*(?:document|window|globalThis|self)(?![\w$])/u,
    'document.cookie',
  ],
  [/(?<![\w$])cookieStore(?![\w$])/u, 'document.cookie'],
  [/localStorage/u, 'localStorage'],
  [/sessionStorage/u, 'sessionStorage'],
];

export function findBlockedPattern(script: string): string | null {
  for (const form of spellings(script)) {
    for (const [pattern, name] of PATTERNS) if (pattern.test(form)) return name;
  }
  return null;
}

function spellings(script: string): string[] {
  const decoded = unescaped(script);
  const bare = decoded.replace(/\/\*[\s\S]*?(?:\*\/|$)/gu, ' ').replace(/\/\/[^\n\r\u2028\u2029]*/gu, ' ');
  return [script, decoded, plain(decoded), bare, plain(bare)];
}

function unescaped(script: string): string {
  return script
    .replace(
      /\\u\{0*([0-9a-f]{1,6})\}|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})/giu,
      (spelled: string, braced?: string, four?: string, two?: string) => {
        const code = Number.parseInt(braced ?? four ?? two ?? '', 16);
        return code <= 0x10ffff ? String.fromCodePoint(code) : spelled;
      },
    )
    .replace(/\\\r?\n|\p{Cf}/gu, '');
}

function plain(script: string): string {
  return script
    .replace(/\s+/gu, ' ')
    .replace(/['"`] ?\+ ?['"`]/gu, '')
    .replace(
      / ?(?:\?\.)? ?\[ ?(?:'([\w$]+)'|"([\w$]+)"|`([\w$]+)`) ?\]/gu,
      (_, single?: string, double?: string, template?: string) => `.${single ?? double ?? template ?? ''}`,
    )
    .replace(/ ?\??\. ?/gu, '.');
}
