import { fail } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import { approvalPath, livePath, PATHS } from '#core/paths.ts';
import type { ObjectCalls } from '#core/objects.ts';
import type { Caller, CancellableCall, OperationResult, Reply } from '#browsing/session/replies.ts';
import { checkSessionName, sessionKey } from '#browsing/session/session-name.ts';
import type { TabAndDialogOptions } from '#browsing/session/operations/perform.ts';
import { isOperation, OPERATIONS } from '#browsing/session/operations/table.ts';
import type { OperationInputOf, OperationName, OperationResultOf } from '#browsing/session/operations/table.ts';
import type { BrowserSession } from '#browsing/session/session-object.ts';

/**
 * Calls a session's Durable Object. The object replies with plain data, which becomes a result or an error here.
 * @throws {PeriscopeError} the failure in the reply; `render_disabled`; `invalid_argument` for an invalid session name
 */
type AskSession = <T>(
  session: string,
  ask: (object: ObjectCalls<BrowserSession>, caller: Caller) => Promise<Reply<T>>,
) => Promise<OperationResult<T>>;

/**
 * Runs an operation in a tab of a session.
 * @throws {PeriscopeError} same errors as {@link AskSession}
 */
type CallSession = <Name extends OperationName>(
  session: string,
  operation: Name,
  input: OperationInputOf<Name>,
  choice?: TabAndDialogOptions,
) => Promise<OperationResult<OperationResultOf<Name>>>;

export type BrowserPort = {
  ask: AskSession;
  call: CallSession;
  /** A port for one tool call. When the call's signal fires, its work in a session is cancelled. */
  forCall: (call: CallWithSignal) => BrowserPort;
  /** The user's running calls, in all their sessions, that belong to one request of the MCP client. */
  callsOf: (request: string) => Promise<SessionCallId[]>;
  cancelCall: (call: SessionCallId) => Promise<void>;
  decline: (session: string) => Promise<void>;
  liveLink: (session: string) => string;
  /** Adds the link to the page on which the user can resolve the failure, and notifies the user of a new question. */
  withPage: (failure: Failure) => Failure;
  openSessions: () => Promise<string[]>;
  sharing: boolean;
};

export type CallWithSignal = CancellableCall & { signal: AbortSignal };
export type SessionCallId = { session: string; id: string };

export type BrowserPortDeps = {
  disabled: string | null;
  origin: string;
  subject: string;
  ownHosts: readonly string[];
  sharing: boolean;
  object: (key: string) => ObjectCalls<BrowserSession>;
  openSessions: () => Promise<string[]>;
  listedSessions: () => Promise<string[]>;
  behind: (work: Promise<unknown>) => void;
  /** Called when a session has a new question for its user. */
  onAsked: (question: { reason: string; link: string }) => void;
};

export function createBrowserPort(deps: BrowserPortDeps): BrowserPort {
  const { disabled, origin, subject, ownHosts, sharing, object, openSessions, listedSessions, behind, onAsked } = deps;
  const reach = (session: string) => {
    if (disabled !== null) fail({ code: 'render_disabled', reason: disabled });
    checkSessionName(session);
    checkShared(session, sharing);
    return object(sessionKey(subject, session));
  };
  const linked = (failure: Failure) => {
    const found = withPage(failure, origin);
    if (found.code === 'approval_needed' && found.state === 'asked')
      onAsked({ reason: `An act on ${found.host}: ${found.because}. Allow it?`, link: found.page ?? '' });
    if (found.code === 'approval_needed' && found.state === 'held')
      onAsked({ reason: `After an act, a page ${found.because} to ${found.host}. Allow it?`, link: found.page ?? '' });
    return found;
  };
  const askFor =
    (call: CallWithSignal | null): AskSession =>
    async (session, ask) => {
      const [asked, caller] = [reach(session), { subject, ownHosts, session }];
      const cancel = (id: string) => behind(asked.cancelCall(id));
      const reply = await (call === null
        ? ask(asked, caller)
        : cancellable(call, cancel, (named) => ask(asked, { ...caller, call: named })));
      if ('failure' in reply) return fail(linked(reply.failure));
      const done = withLinks(reply.done, origin);
      for (const { host, link = '' } of done.state.held)
        onAsked({ reason: `Let a page send something to ${host}?`, link });
      return done;
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
    withPage: linked,
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

/** @throws {PeriscopeError} `cancelled` if the signal has fired before the call */
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

/** Methods of a session, apart from `call`, that may be called again after an error: read-only or idempotent ones. */
const REPEATABLE: ReadonlySet<string> = new Set([
  'close',
  'overview',
  'decline',
  'callsOf',
  'cancelCall',
  'rulesChanged',
  'questions',
  'questionPicture',
]);

export function isRepeatableCall(method: string, args: readonly unknown[]): boolean {
  const name = method === 'call' ? args[CALLED_AT] : null;
  return isOperation(name) ? OPERATIONS[name].repeatable : REPEATABLE.has(method);
}

/** Index of the operation's name in the arguments of `call`. */
const CALLED_AT = 2;

function withLinks<T>(done: OperationResult<T>, origin: string): OperationResult<T> {
  const { state } = done;
  if (state.held.length === 0) return done;
  const held = state.held.map((one) => ({ ...one, link: origin + approvalPath(state.session, one.id) }));
  return { ...done, state: { ...state, held } };
}

/** Adds the page where the user manages rules or secrets, or answers. The session does not know the server's URL. */
function withPage(failure: Failure, origin: string): Failure {
  if (failure.code === 'blocked_by_rule') return { ...failure, page: origin + PATHS.rules };
  if (failure.code === 'approval_needed') {
    return { ...failure, page: origin + approvalPath(failure.session, failure.id) };
  }
  if (failure.code !== 'unknown_secret' && failure.code !== 'secret_refused') return failure;
  return { ...failure, page: origin + PATHS.secrets };
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
