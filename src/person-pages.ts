import { deploymentPart } from '#client/deployment/deployment.ts';
import type { Hono } from 'hono';
import type { PageDeps } from '#web/sign-in/page-deps.ts';
import { LOCAL_CLIENT } from '#auth/people/access-tokens.ts';
import { connectedClients, disconnect, clientLabel } from '#auth/server/connections.ts';
import { abilitiesOf } from '#core/abilities.ts';
import { budgetLimits } from '#core/budgets.ts';
import { objectNamed, partNamed } from '#core/objects.ts';
import { activityPages, clientNames } from '#web/console/activity.tsx';
import type { NamesOf } from '#web/console/activity.tsx';
import { clientPages } from '#web/console/clients.tsx';
import { deskPage } from '#web/console/desk.tsx';
import { filePages } from '#web/console/file-pages.tsx';
import { changesPage } from '#web/console/changes-page.tsx';
import { libraryPages } from '#web/console/library-pages.tsx';
import { PLAYGROUND_CLIENT, playgroundPages } from '#web/playground/playground.tsx';
import { CONSOLE_CLIENT, consoleActivity } from '#core/activity.ts';
import { DAY_MS } from '#core/limits.ts';
import { allowActing, tellSessions } from '#account/allow-acting.ts';
import { rulePages } from '#web/console/rule-pages.tsx';
import { secretPages } from '#web/console/secret-pages.tsx';
import { tokenPages } from '#web/console/token-pages.tsx';
import { authorizePages } from '#web/sign-in/consent-pages.tsx';
import { signInPages } from '#web/sign-in/sign-in-pages.tsx';
import { upstreamPages } from '#web/sign-in/upstream-pages.tsx';
import { approvalPages } from '#web/sessions/approval-pages.tsx';
import type { ApprovalsDeps } from '#web/sessions/approval-pages.tsx';
import { openSessions, sessionPages } from '#web/sessions/sessions.tsx';
import type { SessionsDeps } from '#web/sessions/sessions.tsx';
import type { Site } from '#web/answers.ts';
import { storePages } from '#web/console/store-pages.tsx';
import { zonePage, accountPages } from '#web/people/account.tsx';
import { invitationPages } from '#web/people/invitation.tsx';
import { peoplePages } from '#web/people/people.tsx';
import { usagePage } from '#web/console/usage.tsx';
import type { CitationPagesDeps } from '#web/public/citation-pages.tsx';
import { describeWebSearch } from '#core/search-engines.ts';
import { localProvider } from '#search/local.ts';
import { PageIndex } from '#storage/search/page-index.ts';
import { compose, livePortOf, listedSessionNames, reportDepsOf } from './compose.ts';
import type { Parts } from './compose.ts';
import { endAccess, erasePerson } from '#account/erase-person.ts';
import { createFollowRuns } from '#library/follow-parts.ts';
import { exportUserData } from '#account/own-copy.ts';

export function personPages(deps: PageDeps): Hono<Site>[] {
  const makers = [
    signInPages,
    upstreamPages,
    invitationPages,
    authorizePages,
    zonePage,
    tokenPages,
    filePages,
    secretPages,
  ];
  return makers.map((make) => make(deps));
}

/** Names of this server's own callers, which are not connected clients. */
const OURS = new Map([
  [LOCAL_CLIENT, 'The token of npm start'],
  [PLAYGROUND_CLIENT, 'You, on the page “Try it”'],
  [CONSOLE_CLIENT, 'You, in the console'],
]);

function namesIn({ oauth, tokens }: PageDeps): NamesOf {
  return async (subject) => {
    const [clients, made] = await Promise.all([connectedClients(oauth, subject), tokens.list(subject)]);
    const callers = new Map([
      ...clients.map((client): [string, string] => [client.id, clientLabel(client)]),
      ...made.map(({ id, name }): [string, string] => [id, name]),
    ]);
    return { callers, ours: OURS };
  };
}

function sessionsIn({ signIns, config }: PageDeps, parts: () => Parts): SessionsDeps {
  const { env } = parts();
  return {
    signIns,
    historyOf: (subject) => partNamed(env.PERSON_STORE, subject, 'history'),
    hasBrowser: abilitiesOf(config).browser,
    hasPictures: config.STEP_PICTURES,
    sessionsOf: (subject) => livePortOf(parts(), subject),
    openNames: (subject) => listedSessionNames(parts(), subject),
  };
}

function approvalsIn({ signIns, config }: PageDeps, parts: () => Parts): ApprovalsDeps {
  const { env } = parts();
  const history = (subject: string) => partNamed(env.PERSON_STORE, subject, 'history');
  return {
    signIns,
    sessionsOf: (subject) => livePortOf(parts(), subject),
    openNames: (subject) => listedSessionNames(parts(), subject),
    allow: (subject, page) => allowActing(parts().siteRules, subject, page, (whose) => tellSessions(env, whose)),
    note: (subject, words) =>
      history(subject).note([consoleActivity('approvals', words)], config.ACTIVITY_DAYS * DAY_MS),
  };
}

export function consolePages(deps: PageDeps, parts: () => Parts): Hono<Site>[] {
  const { signIns, oauth, clientOf, tokens, config, origin, vaultOf } = deps;
  const { env } = parts();
  const limits = budgetLimits(config);
  const usedBy = (subject: string) => objectNamed(env.CLIENT, subject).taken();
  const webSearch = describeWebSearch(config);
  const historyOf = (subject: string) => partNamed(env.PERSON_STORE, subject, 'history');
  const namesOf = namesIn(deps);
  const known = { signIns, historyOf, namesOf };
  const sessions = sessionsIn(deps, parts);
  const days = config.ACTIVITY_DAYS;
  const callsOf = (subject: string, ctx: ExecutionContext) => compose(parts(), ctx, { subject, scopes: [] });
  return [
    deskPage({
      ...known,
      origin,
      webSearch,
      days,
      limits,
      usedBy,
      now: Date.now,
      hasBrowser: sessions.hasBrowser,
      openSessions: (subject) => openSessions(sessions, subject),
      changesOf: (subject, limit) => parts().changes.list(subject, { after: null, limit }),
      secretsOf: async (subject) => (await vaultOf(subject)?.list())?.length ?? null,
    }),
    activityPages({ ...known, days, callsOf }),
    sessionPages(sessions),
    storePages({
      signIns,
      callsOf,
      webSearch,
      storeSearch: (subject) => localProvider(new PageIndex(parts().db, subject)),
    }),
    libraryPages({ signIns, origin, stores: parts, ...createFollowRuns(parts()) }),
    changesPage({ signIns, stores: parts, reports: () => reportDepsOf(parts()) }),
    approvalPages(approvalsIn(deps, parts)),
    clientPages({
      signIns,
      historyOf,
      connected: (subject) => connectedClients(oauth, subject),
      disconnect: async (subject, client) => {
        await clientNames(await namesOf(subject), historyOf(subject));
        return disconnect(oauth, clientOf(subject), subject, client);
      },
      tokensOf: (subject) => tokens.count(subject),
    }),
    usagePage({
      signIns,
      historyOf,
      keepsActivity: config.ACTIVITY_DAYS > 0,
      limits,
      usedBy,
      takenByAll: () => deploymentPart(env, 'budgets').taken(),
      counters: () => parts().counters,
      now: Date.now,
    }),
  ];
}

export function peoplesPages(deps: PageDeps, parts: () => Parts): Hono<Site>[] {
  const { signIns, oauth, config, origin, upstreams, vaultOf, now } = deps;
  const { env } = parts();
  const eraser = () => ({ parts: parts(), oauth });
  const erase = (subject: string) => erasePerson(subject, eraser());
  return [
    peoplePages({
      signIns,
      origin,
      config,
      people: () => parts().people,
      providers: upstreams.map(({ label }) => label),
      takenBy: (subject) => objectNamed(env.CLIENT, subject).taken(),
      historyOf: (subject) => partNamed(env.PERSON_STORE, subject, 'history'),
      endAccess: (subject) => endAccess(subject, eraser()),
      erase,
      now,
    }),
    rulePages({
      signIns,
      rules: () => parts().siteRules,
      tell: (subject) => tellSessions(env, subject),
      note: (subject, words) =>
        partNamed(env.PERSON_STORE, subject, 'history').note(
          [consoleActivity('rules', words)],
          config.ACTIVITY_DAYS * DAY_MS,
        ),
    }),
    accountPages({
      signIns,
      erase,
      copyOf: (subject) => exportUserData(subject, { parts: parts(), oauth, vaultOf, now }),
    }),
  ];
}

/** The playground. Its tool calls are those of a client that has only the `web:read` scope. */
export function playground(
  { signIns, config, origin }: PageDeps,
  parts: () => Parts,
  withinRequestLimit: CitationPagesDeps['withinRequestLimit'],
): Hono<Site> {
  return playgroundPages({
    signIns,
    origin,
    webSearch: describeWebSearch(config),
    callsOf: (subject, ctx) => compose(parts(), ctx, { subject, scopes: ['web:read'], client: PLAYGROUND_CLIENT }),
    withinRequestLimit,
  });
}
