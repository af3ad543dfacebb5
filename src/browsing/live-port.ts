import type { Failure } from '#core/failures/failure.ts';
import type { ObjectCalls } from '#core/objects.ts';
import type { LiveTicketResult, SessionOverview } from '#browsing/session/live-access.ts';
import type { ApprovalAnswer, ApprovalQuestion } from '#browsing/session/asking/approvals.ts';
import { isSessionName, isSharedSession, sessionKey } from '#browsing/session/session-name.ts';
import type { BrowserSession } from '#browsing/session/session-object.ts';

export type LivePort = {
  /**
   * @param wakes true to restore a parked session
   * @param isThere true if the page shows the session already and only renews its ticket
   */
  ticket: (session: string, wakes: boolean, isThere?: boolean) => Promise<LiveTicketResult>;
  overview: (session: string) => Promise<SessionOverview | null>;
  /**
   * Ends a session for good.
   * @returns the failure if the session did not end; otherwise `null`
   */
  end: (session: string) => Promise<Failure | null>;
  /** Approval questions that wait for the user, newest first. */
  questions: (session: string) => Promise<ApprovalQuestion[]>;
  /** @returns `null` for a question of another user, an answered question, or an expired one */
  answer: (session: string, id: string, answer: ApprovalAnswer) => Promise<ApprovalQuestion | null>;
  questionPicture: (session: string, id: string) => Promise<Uint8Array | null>;
  /**
   * Connects the WebSocket of a live page to the session.
   * @param page an id that the page chose for itself
   */
  connect: (session: string, request: Request, ticket: string, page: string) => Promise<Response>;
};

type LivePortDeps = {
  subject: string;
  ownHosts: readonly string[];
  sharing: boolean;
  hasBrowser: boolean;
  object: (key: string) => ObjectCalls<BrowserSession>;
};

export function createLivePort({ subject, ownHosts, sharing, hasBrowser, object }: LivePortDeps): LivePort {
  const isHere = (session: string) => hasBrowser && isSessionName(session) && (sharing || !isSharedSession(session));
  const objectOf = (session: string) => object(sessionKey(subject, session));
  return {
    ticket: async (session, wakes, isThere = false) =>
      isHere(session)
        ? objectOf(session).liveTicket({ subject, ownHosts, session }, wakes, isThere)
        : { refused: 'unknown' },
    overview: async (session) => (isHere(session) ? objectOf(session).overview() : null),
    end: async (session) => {
      if (!isHere(session)) return { code: 'unknown_session', session };
      const reply = await objectOf(session).close({ subject, ownHosts, session }, crypto.randomUUID());
      return 'failure' in reply ? reply.failure : null;
    },
    questions: async (session) => (isHere(session) ? objectOf(session).questions(subject) : []),
    answer: async (session, id, answer) => (isHere(session) ? objectOf(session).answer(subject, id, answer) : null),
    questionPicture: async (session, id) => (isHere(session) ? objectOf(session).questionPicture(subject, id) : null),
    connect: async (session, { headers }, ticket, page) => {
      if (!isHere(session)) return new Response(null, { status: 403 });
      const asked = new URLSearchParams({ subject, ticket, page });
      return objectOf(session).fetch(new Request(`https://session/?${asked.toString()}`, { headers }));
    },
  };
}
