import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import type { Sendable } from '#browsing/in-page/scripts.ts';

export type Answer = Protocol.Runtime.CallFunctionOnResponse;
export type Argument = Protocol.Runtime.CallArgument;
/** How Chromium should answer. */
export type Manner = Omit<Protocol.Runtime.CallFunctionOnRequest, 'functionDeclaration' | 'arguments'>;

export const AS_DATA: Manner = { awaitPromise: true, returnByValue: true };

export function asArguments(values: Sendable): Argument[] {
  return values.map((value) => ({ value }));
}

/** The only function that sends a function into a page. @throws {CdpError} when the document or the object is gone */
export function callFunction(
  session: CdpSession,
  where: { objectId: string } | { executionContextId: number },
  functionDeclaration: string,
  args: Argument[],
  manner: Manner,
): Promise<Answer> {
  return session.send('Runtime.callFunctionOn', { ...where, functionDeclaration, arguments: args, ...manner });
}
