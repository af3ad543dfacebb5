import { Hono } from 'hono';
import type { Context } from 'hono';
import type { ObjectCalls } from '#core/objects.ts';
import { PATHS } from '#core/paths.ts';
import { Clients } from '#pages/clients.tsx';
import type { ListedClient } from '#pages/clients.tsx';
import type { PersonHistory } from '#storage/person-history.ts';
import { asPerson, done, visitorOf, withOwnForm } from './console.tsx';
import type { ConsoleDeps, SignedIn } from './console.tsx';
import type { Site } from './site.ts';
import { page } from './page.tsx';

export type ClientsDeps = ConsoleDeps & {
  historyOf: (subject: string) => Pick<ObjectCalls<PersonHistory>, 'clients'>;
  connected: (subject: string) => Promise<readonly Omit<ListedClient, 'lastUsedAt'>[]>;
  /** Ends all connections of a client. @returns whether there was one */
  disconnect: (subject: string, client: string) => Promise<boolean>;
  tokensOf: (subject: string) => Promise<number>;
};

/** `/console/clients`: who may act for a person. */
export function clientPages(deps: ClientsDeps): Hono<Site> {
  const app = new Hono<Site>();
  app.get(PATHS.clients, (c) => asPerson(c, deps, (person) => show(c, deps, person, null)));
  app.post(PATHS.clients, (c) =>
    withOwnForm(c, deps, async (field, person) => {
      if (await deps.disconnect(person.subject, field('client'))) {
        return done(c, 'Disconnected', PATHS.clients);
      }
      return show(c, deps, person, 'That client is not connected any more.');
    }),
  );
  return app;
}

async function show(c: Context<Site>, deps: ClientsDeps, person: SignedIn, problem: string | null) {
  const { subject } = person;
  const [connected, used, tokens, visitor] = await Promise.all([
    deps.connected(subject),
    deps.historyOf(subject).clients(),
    deps.tokensOf(subject),
    visitorOf(c, deps, person),
  ]);
  const usedAt = new Map(used.map((one) => [one.id, one.usedAt]));
  const clients = connected.map((client) => ({ ...client, lastUsedAt: usedAt.get(client.id) ?? null }));
  const view = { visitor, clients, tokens, problem };
  return page(c, <Clients {...view} />, problem === null ? 200 : 409);
}
