import { inputRequired } from '@modelcontextprotocol/server';
import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import type { CallWithSignal } from '#browsing/port.ts';
import type { CursorUse } from '#client/paid-use.ts';
import type { ShownCursor } from '#client/cursors.ts';
import type { Budgets, Costs } from '#core/budgets.ts';
import type { Abilities } from '#core/abilities.ts';
import type { Activity } from '#core/activity.ts';
import { fail } from '#core/failures/failure.ts';
import type { Principal } from '#core/principal.ts';
import type { Services, ToolContext, LinkToOpen, Tool } from '#tools/define-tool.ts';
import { missingScope } from '#tools/catalog.ts';
import { permissionDenied } from './denied-calls.ts';
import { activitiesOf } from './activity.ts';
import { invalidArgument } from './invalid-argument.ts';
import { errorResult, successResult } from './result.ts';
import { runCall } from './run-call.ts';
import type { CallRecorder } from './run-call.ts';
import type { StructuredUse } from './structured-hosts.ts';

export type CallEnvironment = CallRecorder & {
  principal: Principal;
  /** The public one of this server. */
  origin: string;
  services: Services;
  /** Those of the principal. */
  budgets: Budgets;
  /** Pays for a call and looks its cursor up at once. */
  useCursor: (use: CursorUse, costs: Costs) => Promise<ShownCursor | null>;
  /** Of this deployment. */
  abilities: Abilities;
  structured: StructuredUse;
  /** Says what the call is about. @throws {PeriscopeError} `skipped` when the server hung at such a call each time */
  worksOnCall: (tool: string, args: unknown) => Promise<void>;
  /** Keeps what was done for the person to see; it does not hold up the answer. */
  recordActivity: (deeds: readonly Activity[]) => void;
  /** Whether the negotiated protocol knows `resource_link` content (since 2025-06-18). */
  resourceLinks: boolean;
  /** Whether the client said that it opens links as it initialised. Clients of 2026-07-28 say so with each request. */
  opensLinks: boolean;
};

/** What a client calls the link when it says what the person did. */
export const LINK = 'link';

/** The other end of a call: it can go away, and it may want to hear how far the call is. */
export type Connection = Pick<ToolContext, 'progress' | 'links'> & {
  call: CallWithSignal;
  /** Asks for a link to be opened while the call goes on; `null` where the protocol has the call made again for that. */
  askToOpen: ((link: LinkToOpen) => Promise<void>) | null;
};

/**
 * The one pipeline every tool call goes through: scope → parse → budget → run with deadline and abort signal → output check →
 * error mapping → one fact → size budget. Tools neither catch, nor check, nor log.
 */
export async function runTool(
  tool: Tool,
  input: unknown,
  connection: Connection,
  env: CallEnvironment,
): Promise<CallToolResult | InputRequiredResult> {
  const { principal, budgets, useCursor } = env;
  const { call } = connection;
  const outcome = await runCall(tool.name, call.signal, env, async (signal) => {
    const missing = missingScope(principal, tool, input);
    if (missing !== null) fail(permissionDenied(tool, missing));
    const given = input ?? {};
    await env.worksOnCall(tool.name, given);
    const parsed = tool.parse(given);
    const use = parsed.ok ? parsed.uses : null;
    const shown = use === null ? null : await useCursor(use, tool.costs);
    if (use === null) await budgets.spend(tool.costs);
    if (!parsed.ok) {
      const { inputSchema } = tool.offer(env.abilities, principal.scopes);
      fail(invalidArgument(tool, given, parsed.issues, inputSchema));
    }
    const more = parsed.costs();
    if (Object.keys(more).length > 0) await budgets.spend(more);
    const services = { ...env.services, browser: env.services.browser.forCall({ ...call, signal }) };
    const answer = await parsed.run({ ...connection, principal, services, signal, shown });
    if (!tool.accepts(answer.structured)) throw new TypeError(`${tool.name}: the result does not fit its schema`);
    return answer;
  });
  env.recordActivity(activitiesOf(tool, input, outcome, principal));
  const asksToOpen = 'answer' in outcome ? outcome.answer.asksToOpen : undefined;
  if (asksToOpen !== undefined) {
    const { url, message } = asksToOpen;
    if (connection.askToOpen === null)
      return inputRequired({ inputRequests: { [LINK]: inputRequired.elicitUrl({ url, message }) } });
    await connection.askToOpen(asksToOpen);
    return runTool(tool, input, { ...connection, links: { canAsk: false, said: null } }, env);
  }
  return 'failure' in outcome
    ? errorResult(outcome.failure, env.structured.errors)
    : successResult(outcome.answer, env.structured.results, env.resourceLinks);
}
