import type { Hono } from 'hono';
import type { PageDeps } from '#web/sign-in/page-deps.ts';
import type { SignIns } from '#auth/people/sign-ins.ts';
import { LOCAL_CLIENT } from '#auth/people/access-tokens.ts';
import { connectedClients, disconnect, clientLabel } from '#auth/server/connections.ts';
import { abilitiesOf } from '#core/config.ts';
import { budgetLimits } from '#core/budgets.ts';
import { objectNamed } from '#core/objects.ts';
import { activityPages } from '#web/console/activity.tsx';
import { clientPages } from '#web/console/clients.tsx';
import type { ConsoleDeps } from '#web/console/console.tsx';
import { sessionPages } from '#web/console/sessions.tsx';
import type { Site } from '#web/answers.ts';
import { storePages } from '#web/console/store-pages.tsx';
import { usagePage } from '#web/console/usage.tsx';
import { localProvider } from '#search/local.ts';
import { PageIndex } from '#storage/search/page-index.ts';
import { compose, livePortOf, openSessionNames } from './compose.ts';
import type { Parts } from './compose.ts';

export function consoleDeps({ read, startForm, isOurForm }: SignIns): ConsoleDeps {
  return { signedIn: read, forms: { start: startForm, isOurs: isOurForm } };
}

export function consolePages({ signIns, oauth, signIn, tokens, config }: PageDeps, parts: () => Parts): Hono<Site>[] {
  const person = consoleDeps(signIns);
  const { env } = parts();
  const historyOf = (subject: string) => objectNamed(env.HISTORY, subject);
  const namesOf = async (subject: string) => {
    const [clients, made] = await Promise.all([connectedClients(oauth, subject), tokens.list(subject)]);
    return new Map([
      [LOCAL_CLIENT, 'the token of npm start'],
      ...clients.map((client): [string, string] => [client.id, clientLabel(client)]),
      ...made.map(({ id, name }): [string, string] => [id, name]),
    ]);
  };
  return [
    activityPages({
      ...person,
      historyOf,
      namesOf,
      days: config.ACTIVITY_DAYS,
      callsOf: (subject, ctx) => compose(parts(), ctx, { subject, scopes: [] }),
    }),
    sessionPages({
      ...person,
      historyOf,
      hasBrowser: abilitiesOf(config).browser,
      hasPictures: config.STEP_PICTURES,
      sessionsOf: (subject) => livePortOf(parts(), subject),
      openNames: (subject) => openSessionNames(parts(), subject),
    }),
    storePages({
      ...person,
      callsOf: (subject, ctx) => compose(parts(), ctx, { subject, scopes: [] }),
      storeSearch: (subject) => localProvider(new PageIndex(parts().db, subject)),
    }),
    clientPages({
      ...person,
      historyOf,
      connected: (subject) => connectedClients(oauth, subject),
      disconnect: (subject, client) => disconnect(oauth, signIn, subject, client),
      tokensOf: (subject) => tokens.count(subject),
    }),
    usagePage({
      ...person,
      historyOf,
      keepsActivity: config.ACTIVITY_DAYS > 0,
      limits: budgetLimits(config),
      takenBy: (subject) => objectNamed(env.CLIENT, subject).taken(),
      takenByAll: () => objectNamed(env.BUDGET, 'deployment').taken(),
      counters: () => parts().counters,
      now: Date.now,
    }),
  ];
}
