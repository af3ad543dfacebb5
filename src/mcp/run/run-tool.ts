import { inputRequired } from '@modelcontextprotocol/server';
import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import type { CallWithSignal } from '#browsing/port.ts';
import type { CursorRequest } from '#client/client.ts';
import type { ShownCursor } from '#client/cursors.ts';
import type { Budgets, CallCosts } from '#core/budgets.ts';
import type { Abilities } from '#core/abilities.ts';
import type { Activity } from '#core/activity.ts';
import { failureMessage } from '#core/failures/describe-failure.ts';
import { fail } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import type { Principal } from '#core/principal.ts';
import type { ToolServices, ToolContext, LinkToOpen, Tool } from '#tools/define-tool.ts';
import { findMissingScope } from '#tools/catalog.ts';
import { permissionDeniedFailure } from './denied-calls.ts';
import { describeActivities } from './call-activities.ts';
import { createInvalidArgumentFailure } from './invalid-argument.ts';
import { errorResult, successResult } from './result.ts';
import { runCall } from './run-call.ts';
import type { CallRecorder } from './run-call.ts';
import type { StructuredUse } from './structured-hosts.ts';

export type CallEnvironment = CallRecorder & {
  principal: Principal;
  /** This server's public origin. */
  origin: string;
  services: ToolServices;
  budgets: Budgets;
  /** Charges a call and looks up its cursor in one step. */
  useCursor: (use: CursorRequest, costs: CallCosts) => Promise<ShownCursor | null>;
  abilities: Abilities;
  structured: StructuredUse;
  /**
   * Records which call the server is working on.
   * @throws {PeriscopeError} `skipped` if the server hung twice at this call
   */
  worksOnCall: (tool: string, args: unknown) => Promise<void>;
  recordActivity: (deeds: readonly Activity[]) => void;
  /** True if the negotiated protocol has `resource_link` content, which exists since 2025-06-18. */
  resourceLinks: boolean;
  /** True if the client declares that it opens links: in `initialize` or, since 2026-07-28, in each request. */
  opensLinks: boolean;
};

/** The key of the request to open a link, and of the client's response to it. */
export const LINK_INPUT_KEY = 'link';

export type CallConnection = Pick<ToolContext, 'progress' | 'links'> & {
  call: CallWithSignal;
  /** Asks the client to open a link during the call; `null` if the client repeats the call with its answer. */
  askToOpen: ((link: LinkToOpen) => Promise<void>) | null;
};

/**
 * The pipeline of every tool call: scope → parse → budget → run with deadline and abort signal → output check → error
 * mapping → one log entry → size limit. Tools do not catch, check or log.
 */
export async function runTool(
  tool: Tool,
  input: unknown,
  connection: CallConnection,
  env: CallEnvironment,
): Promise<CallToolResult | InputRequiredResult> {
  const { principal, budgets, useCursor } = env;
  const { call } = connection;
  const outcome = await runCall(tool.name, call.signal, env, async (signal) => {
    const missing = findMissingScope(principal, tool, input);
    if (missing !== null) fail(permissionDeniedFailure(tool, missing));
    const given = input ?? {};
    await env.worksOnCall(tool.name, given);
    const parsed = tool.parse(given);
    const use = parsed.ok ? parsed.uses : null;
    const shown = use === null ? null : await useCursor(use, tool.costs);
    if (use === null) await budgets.spend(tool.costs);
    if (!parsed.ok) {
      const { inputSchema } = tool.offer(env.abilities, principal.scopes);
      fail(createInvalidArgumentFailure(tool, given, parsed.issues, inputSchema));
    }
    const more = parsed.costs();
    if (Object.keys(more).length > 0) await budgets.spend(more);
    const services = { ...env.services, browser: env.services.browser.forCall({ ...call, signal }) };
    const answer = await parsed.run({ ...connection, principal, services, signal, shown });
    if (!tool.accepts(answer.structured)) throw new TypeError(`${tool.name}: the result does not fit its schema`);
    return answer;
  });
  env.recordActivity(describeActivities(tool, input, outcome, principal));
  const asksToOpen = 'answer' in outcome ? outcome.answer.asksToOpen : questionIn(outcome.failure, connection.links);
  if (asksToOpen !== undefined) {
    const { url, message } = asksToOpen;
    if (connection.askToOpen === null)
      return inputRequired({ inputRequests: { [LINK_INPUT_KEY]: inputRequired.elicitUrl({ url, message }) } });
    await connection.askToOpen(asksToOpen);
    return runTool(tool, input, { ...connection, links: { canAsk: false, said: null } }, env);
  }
  return 'failure' in outcome
    ? errorResult(outcome.failure, env.structured.errors)
    : successResult(outcome.answer, env.structured.results, env.resourceLinks);
}

/** The request to open the approval page, if the client opens links. The error's text contains the link as well. */
function questionIn(failure: Failure, links: ToolContext['links']): LinkToOpen | undefined {
  if (failure.code !== 'approval_needed' || failure.state !== 'asked' || failure.page === undefined) return undefined;
  if (!links.canAsk || links.said !== null) return undefined;
  return { url: failure.page, message: failureMessage(failure), session: failure.session };
}
