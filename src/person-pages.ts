import { deploymentPart } from '#client/deployment/deployment.ts';
import type { Hono } from 'hono';
import type { PageDeps } from '#web/sign-in/page-deps.ts';
import type { FindClientNames, SiteDeps } from '#web/site-deps.ts';
import { LOCAL_TOKEN_CLIENT_ID } from '#auth/people/access-tokens.ts';
import { connectedClients } from '#auth/server/connections.ts';
import { abilitiesOf } from '#core/abilities.ts';
import { budgetLimits } from '#core/budgets.ts';
import { objectNamed, partNamed } from '#core/objects.ts';
import { activityPages } from '#web/console/activity.tsx';
import { clientPages } from '#web/console/clients.tsx';
import { consoleHomePage } from '#web/console/desk.tsx';
import { filePages } from '#web/console/file-pages.tsx';
import { changesPage } from '#web/console/changes-page.tsx';
import { libraryPages } from '#web/console/library-pages.tsx';
import { PLAYGROUND_CLIENT, playgroundPages } from '#web/playground/playground.tsx';
import { CONSOLE_CLIENT_NAME } from '#core/activity.ts';
import { DAY_MS } from '#core/limits.ts';
import { saveActRule, applyRulesToOpenSessions } from '#account/allow-acting.ts';
import { rulePages } from '#web/console/rule-pages.tsx';
import { secretPages } from '#web/console/secret-pages.tsx';
import { tokenPages } from '#web/console/token-pages.tsx';
import { authorizePages } from '#web/sign-in/consent-pages.tsx';
import { signInPages } from '#web/sign-in/sign-in-pages.tsx';
import { upstreamPages } from '#web/sign-in/upstream-pages.tsx';
import { approvalPages } from '#web/sessions/approval-pages.tsx';
import { openSessions, sessionPages } from '#web/sessions/sessions.tsx';
import type { SiteEnv } from '#web/page-response.ts';
import { storePages } from '#web/console/store-pages.tsx';
import { timeZonePage, accountPages } from '#web/people/account.tsx';
import { invitationPages, peoplePages } from '#web/people/people.tsx';
import { usagePage } from '#web/console/usage.tsx';
import { describeWebSearch } from '#core/search-engines.ts';
import { localProvider } from '#search/local.ts';
import { PageIndex } from '#storage/search/page-index.ts';
import { composeServices, livePortOf, mayShowUrl, listedSessionNames, reportDepsOf } from './compose.ts';
import type { CallParts } from './compose.ts';
import { revokeAccess, erasePerson } from '#account/erase-person.ts';
import { followDeps } from '#library/follow-parts.ts';
import { exportUserData } from '#account/own-copy.ts';
import { livePages } from '#web/live/live.tsx';
import { citationsList } from '#web/console/citations-list.tsx';
import { citationPages } from '#web/public/citation-pages.tsx';
import { changeDetailPages } from '#web/public/one-change.tsx';
import { sharedQuotePages } from '#web/public/shared-quote.tsx';
import type { Activity } from '#core/activity.ts';
import { quoteCurly } from '#core/text/text.ts';
import type { ConnectedClient } from '#auth/server/connections.ts';

/** Pages that need only the dependencies of the sign-in pages. */
export function personPages(deps: PageDeps): Hono<SiteEnv>[] {
  const makers = [
    signInPages,
    upstreamPages,
    invitationPages,
    authorizePages,
    timeZonePage,
    tokenPages,
    filePages,
    secretPages,
  ];
  return makers.map((make) => make(deps));
}

/** Names of this server's own callers, such as the console, which are not connected clients. */
const OURS = new Map([
  [LOCAL_TOKEN_CLIENT_ID, 'npm start token'],
  [PLAYGROUND_CLIENT, 'You, on the page “Try it”'],
  [CONSOLE_CLIENT_NAME, 'You, in the console'],
]);

function namesIn({ oauth, tokens }: PageDeps): FindClientNames {
  return async (subject) => {
    const [clients, made] = await Promise.all([connectedClients(oauth, subject), tokens.list(subject)]);
    const callers = new Map([
      ...clients.map((client): [string, string] => [client.id, clientLabel(client)]),
      ...made.map(({ id, name }): [string, string] => [id, name]),
    ]);
    return { callers, ours: OURS };
  };
}

export function siteDeps(
  deps: PageDeps,
  parts: () => CallParts,
  withinRequestLimit: SiteDeps['withinRequestLimit'],
): SiteDeps {
  const { config, oauth, vaultOf, now } = deps;
  const { env, isAdmitted } = parts();
  const historyOf = (subject: string) => partNamed(env.PERSON_STORE, subject, 'history');
  const eraser = () => ({ parts: parts(), oauth });
  const { runs, followBudget } = followDeps(parts());
  return {
    ...deps,
    callsOf: (subject, ctx) => composeServices(parts(), ctx, { subject, scopes: [] }),
    withinRequestLimit,
    stores: parts,
    storeSearch: (subject) => localProvider(new PageIndex(parts().db, subject)),
    webSearch: describeWebSearch(config),
    historyOf,
    namesOf: namesIn(deps),
    limits: budgetLimits(config),
    usedBy: (subject) => objectNamed(env.CLIENT, subject).taken(),
    takenByAll: () => deploymentPart(env, 'budgets').taken(),
    hasBrowser: abilitiesOf(config).browser,
    sessionsOf: (subject) => livePortOf(parts(), subject),
    openNames: (subject) => listedSessionNames(parts(), subject),
    tell: (subject) => applyRulesToOpenSessions(env, subject),
    note: (subject, tool, words) =>
      historyOf(subject).note([consoleActivity(tool, words)], config.ACTIVITY_DAYS * DAY_MS),
    runs,
    followBudget,
    reports: () => reportDepsOf(parts()),
    mayShow: (url) => mayShowUrl(parts(), url),
    isAdmitted,
    endAccess: (subject) => revokeAccess(subject, eraser()),
    erase: (subject) => erasePerson(subject, eraser()),
    copyOf: (subject) => exportUserData(subject, { parts: parts(), oauth, vaultOf, now }),
  };
}

/** The pages of the console, and the pages that links in results lead to, such as citations and approvals. */
export function sitePages(site: SiteDeps, parts: () => CallParts): Hono<SiteEnv>[] {
  const { config, vaultOf, stores } = site;
  const makers = [
    activityPages,
    sessionPages,
    storePages,
    libraryPages,
    changesPage,
    clientPages,
    usagePage,
    peoplePages,
    rulePages,
    accountPages,
    citationPages,
    citationsList,
    sharedQuotePages,
    changeDetailPages,
    livePages,
  ];
  return [
    ...makers.map((make) => make(site)),
    consoleHomePage({
      ...site,
      days: config.ACTIVITY_DAYS,
      openSessions: (subject) => openSessions(site, subject),
      changesOf: (subject, limit) => stores().changes.list(subject, { after: null, limit }),
      secretsOf: async (subject) => (await vaultOf(subject)?.list())?.length ?? null,
    }),
    approvalPages({
      ...site,
      allow: (subject, page) => saveActRule(stores().siteRules, subject, page, site.tell),
      note: (subject, words) => site.note(subject, 'approvals', words),
    }),
    // The page “Try it” calls tools like a client that has only the `web:read` scope.
    playgroundPages({
      ...site,
      callsOf: (subject, ctx) =>
        composeServices(parts(), ctx, { subject, scopes: ['web:read'], client: PLAYGROUND_CLIENT }),
    }),
  ];
}

/** Creates the entry of a change that a person made in the console. The change does not count as a call. */
function consoleActivity(tool: string, words: string): Activity {
  return {
    id: crypto.randomUUID(),
    at: Date.now(),
    isCall: false,
    client: CONSOLE_CLIENT_NAME,
    tool,
    kind: 'browse',
    url: null,
    title: null,
    words,
    cursor: null,
    documentId: null,
    lines: null,
    session: null,
    ms: 0,
    error: null,
    reason: null,
    hint: null,
  };
}

/** Label of a client, such as `claude.ai “Claude”`. The name is in quotes, because the client chose it. */
function clientLabel({ name, hosts, isVerified }: ConnectedClient): string {
  return isVerified ? name : [hosts.join(', '), quoteCurly(name)].filter((part) => part !== '').join(' ');
}
