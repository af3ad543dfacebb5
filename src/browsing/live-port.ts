import type { Failure } from '#core/failures/failure.ts';
import type { ObjectCalls } from '#core/objects.ts';
import type { LiveTicket } from '#browsing/session/live-access.ts';
import type { SessionOverview } from '#browsing/session/overview.ts';
import { isSessionName, isShared, sessionKey } from '#browsing/session/session-name.ts';
import type { BrowserSession } from '#browsing/session/session-object.ts';

/** How pages reach the sessions of one person. */
export type LivePort = {
  /**
   * @param wakes whether a session that rests is brought back
   * @param isThere whether the page shows the session already, and goes on
   */
  ticket: (session: string, wakes: boolean, isThere?: boolean) => Promise<LiveTicket>;
  /** How a session is; `null` when there is none of that name. */
  overview: (session: string) => Promise<SessionOverview | null>;
  /** Ends a session for good. @returns why it goes on, or `null` */
  end: (session: string) => Promise<Failure | null>;
  /** Hands a page's socket to the session. @param page the name that the page gave itself */
  connect: (session: string, request: Request, ticket: string, page: string) => Promise<Response>;
};

export type LivePortDeps = {
  subject: string;
  ownHosts: readonly string[];
  sharing: boolean;
  /** Whether there is a browser at all. */
  hasBrowser: boolean;
  object: (key: string) => ObjectCalls<BrowserSession>;
};

export function livePort({ subject, ownHosts, sharing, hasBrowser, object }: LivePortDeps): LivePort {
  const isHere = (session: string) => hasBrowser && isSessionName(session) && (sharing || !isShared(session));
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
    connect: async (session, { headers }, ticket, page) => {
      if (!isHere(session)) return new Response(null, { status: 403 });
      const asked = new URLSearchParams({ subject, ticket, page });
      return objectOf(session).fetch(new Request(`https://session/?${asked.toString()}`, { headers }));
    },
  };
}
