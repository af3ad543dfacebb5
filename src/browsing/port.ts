import { fail } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import { livePath, PATHS } from '#core/paths.ts';
import type { ObjectCalls } from '#core/objects.ts';
import type { Caller, OperationResult, Reply } from '#browsing/session/answers.ts';
import { checkSessionName, sessionKey } from '#browsing/session/registry.ts';
import type { BrowserSession } from '#browsing/session/session-object.ts';

/**
 * Asks a session for something. Its reply is data; here it becomes an answer or a failure again.
 * @throws {PeriscopeError} the failure of the reply, `render_disabled`, or `invalid_argument` for the name of the session
 */
export type AskSession = <T>(
  session: string,
  ask: (object: ObjectCalls<BrowserSession>, caller: Caller) => Promise<Reply<T>>,
) => Promise<OperationResult<T>>;

export type BrowserPort = {
  ask: AskSession;
  /** The person will not do what a session's model asked them for. */
  decline: (session: string) => Promise<void>;
  /** Takes no more steps of a list, whose call was cancelled. */
  cancelList: (session: string, id: string) => Promise<void>;
  /** Where the person sees a session, and takes over. */
  liveLink: (session: string) => string;
  /** Names of the caller's sessions that have a browser now. */
  openSessions: () => Promise<string[]>;
  /** Whether sessions may be shared between the people of this deployment. */
  sharing: boolean;
};

/** What of the deployment the sessions are reached through. */
export type BrowserPortDeps = {
  /** Why there is no browser here, or `null`. */
  disabled: string | null;
  /** The public one. */
  origin: string;
  subject: string;
  ownHosts: readonly string[];
  sharing: boolean;
  object: (key: string) => ObjectCalls<BrowserSession>;
  openSessions: () => Promise<string[]>;
};

export function browserPort(deps: BrowserPortDeps): BrowserPort {
  const { disabled, origin, subject, ownHosts, sharing, object, openSessions } = deps;
  const reach = (session: string) => {
    if (disabled !== null) fail({ code: 'render_disabled', reason: disabled });
    checkSessionName(session);
    checkShared(session, sharing);
    return object(sessionKey(subject, session));
  };
  return {
    sharing,
    openSessions,
    liveLink: (session) => origin + livePath(session),
    cancelList: async (session, id) => reach(session).cancelList(id),
    decline: async (session) => reach(session).decline(),
    ask: async (session, ask) => {
      const reply = await ask(reach(session), { subject, ownHosts, session });
      return 'done' in reply ? reply.done : fail(withPage(reply.failure, origin + PATHS.secrets));
    },
  };
}

/** Calls of a session that may be made twice: they only look, or come to the same. What acts might act twice. */
const REPEATABLE: ReadonlySet<string> = new Set([
  'launch',
  'snapshot',
  'screenshot',
  'html',
  'read',
  'wait',
  'log',
  'close',
  'overview',
  'decline',
  'cancelList',
]);

export function mayRepeat(method: string): boolean {
  return REPEATABLE.has(method);
}

/** With the page where a person keeps secrets, which only this side knows. */
function withPage(failure: Failure, page: string): Failure {
  return failure.code === 'unknown_secret' || failure.code === 'secret_refused' ? { ...failure, page } : failure;
}

function checkShared(session: string, sharing: boolean): void {
  if (sharing || !session.startsWith('shared/')) return;
  fail({
    code: 'invalid_argument',
    field: 'session',
    problem: 'sessions are not shared on this server',
    hint: 'Use a session of your own: a name without shared/. The operator can allow it with SHARED_SESSIONS.',
  });
}
