import { fail } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import { livePath, PATHS } from '#core/paths.ts';
import type { ObjectCalls } from '#core/objects.ts';
import type { Caller, CancellableCall, OperationResult, Reply } from '#browsing/session/answers.ts';
import { checkSessionName, sessionKey } from '#browsing/session/session-name.ts';
import type { TabChoice } from '#browsing/session/operations/perform.ts';
import { isOperation, OPERATIONS } from '#browsing/session/operations/table.ts';
import type { InputOf, OperationName, ResultOf } from '#browsing/session/operations/table.ts';
import type { BrowserSession } from '#browsing/session/session-object.ts';

/**
 * Asks a session for something. Its reply is data; here it becomes an answer or a failure again.
 * @throws {PeriscopeError} the failure of the reply, `render_disabled`, or `invalid_argument` for the name of the session
 */
export type AskSession = <T>(
  session: string,
  ask: (object: ObjectCalls<BrowserSession>, caller: Caller) => Promise<Reply<T>>,
) => Promise<OperationResult<T>>;

/** Runs an operation on a page of a session. @throws {PeriscopeError} as {@link AskSession} does */
type CallSession = <Name extends OperationName>(
  session: string,
  operation: Name,
  input: InputOf<Name>,
  choice?: TabChoice,
) => Promise<OperationResult<ResultOf<Name>>>;

export type BrowserPort = {
  ask: AskSession;
  call: CallSession;
  /** The port of one call: when its signal fires, what the call does in a session ends. */
  forCall: (call: CallWithSignal) => BrowserPort;
  /** The person's calls, in all their sessions, that a request of their client stands for. */
  callsOf: (request: string) => Promise<CallInSession[]>;
  cancelCall: (call: CallInSession) => Promise<void>;
  /** The person will not do what a session's model asked them for. */
  decline: (session: string) => Promise<void>;
  /** Where the person sees a session, and takes over. */
  liveLink: (session: string) => string;
  /** Names of the caller's sessions that have a browser now. */
  openSessions: () => Promise<string[]>;
  /** Whether sessions may be shared between the people of this deployment. */
  sharing: boolean;
};

export type CallWithSignal = CancellableCall & { signal: AbortSignal };
export type CallInSession = { session: string; id: string };

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
  /** These, and those that others share with the caller. */
  listedSessions: () => Promise<string[]>;
  /** Does what nobody waits for, also when the caller has gone. */
  behind: (work: Promise<unknown>) => void;
};

export function browserPort(deps: BrowserPortDeps): BrowserPort {
  const { disabled, origin, subject, ownHosts, sharing, object, openSessions, listedSessions, behind } = deps;
  const reach = (session: string) => {
    if (disabled !== null) fail({ code: 'render_disabled', reason: disabled });
    checkSessionName(session);
    checkShared(session, sharing);
    return object(sessionKey(subject, session));
  };
  const askFor =
    (call: CallWithSignal | null): AskSession =>
    async (session, ask) => {
      const [asked, caller] = [reach(session), { subject, ownHosts, session }];
      const cancel = (id: string) => behind(asked.cancelCall(id));
      const reply = await (call === null
        ? ask(asked, caller)
        : cancellable(call, cancel, (named) => ask(asked, { ...caller, call: named })));
      return 'done' in reply ? reply.done : fail(withPage(reply.failure, origin + PATHS.secrets));
    };
  const callBy =
    (ask: AskSession): CallSession =>
    (session, operation, input, choice = {}) =>
      ask(session, (asked, caller) => asked.call(caller, choice, operation, input));
  const asking = (ask: AskSession) => ({ ask, call: callBy(ask) });
  const port: BrowserPort = {
    sharing,
    openSessions,
    liveLink: (session) => origin + livePath(session),
    callsOf: async (request) => {
      if (disabled !== null) return [];
      const found = (await listedSessions()).map(async (session) =>
        (await reach(session).callsOf(subject, request)).map((id) => ({ session, id })),
      );
      return (await Promise.all(found)).flat();
    },
    cancelCall: async ({ session, id }) => reach(session).cancelCall(id),
    decline: async (session) => reach(session).decline(),
    ...asking(askFor(null)),
    forCall: (call) => ({ ...port, ...asking(askFor(call)) }),
  };
  return port;
}

/** @throws {PeriscopeError} `cancelled` when the signal has fired before */
async function cancellable<T>(
  { id, request, signal }: CallWithSignal,
  cancel: (id: string) => void,
  ask: (call: CancellableCall) => Promise<T>,
): Promise<T> {
  if (signal.aborted) fail({ code: 'cancelled' });
  const onAbort = () => cancel(id);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await ask({ id, request });
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Methods of a session, besides `call`, that only look or come to the same when called twice. */
const REPEATABLE: ReadonlySet<string> = new Set(['close', 'overview', 'decline', 'callsOf', 'cancelCall']);

export function mayRepeat(method: string, args: readonly unknown[]): boolean {
  const name = method === 'call' ? args[CALLED_AT] : null;
  return isOperation(name) ? OPERATIONS[name].repeatable : REPEATABLE.has(method);
}

/** Position of the operation's name in the parameters of `call`. */
const CALLED_AT = 2;

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
