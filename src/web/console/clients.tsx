import { Hono } from 'hono';
import type { Context } from 'hono';
import { connectedClients, disconnectClient } from '#auth/server/connections.ts';
import type { ConnectedClient } from '#auth/server/connections.ts';
import { describeScopes } from '#auth/people/scopes.ts';
import { PATHS } from '#core/paths.ts';
import { requireSignIn, continueAfterForm, startConsolePage, withVerifiedForm } from './console.tsx';
import type { SiteDeps } from '#web/site-deps.ts';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import type { SiteEnv } from '#web/page-response.ts';
import { formText } from '#web/page-response.ts';
import { quoteCurly } from '#core/text/text.ts';
import { ItemButtons, ItemList } from '#web/parts/list.tsx';
import type { ListEntry } from '#web/parts/list.tsx';
import { LastUsed, Timestamp } from '#web/parts/timestamp.tsx';
import { clientNames } from './activity.tsx';
import { ConsolePage } from './console-page.tsx';

export function clientPages(deps: SiteDeps): Hono<SiteEnv> {
  const app = new Hono<SiteEnv>();
  app.get(PATHS.clients, (c) => requireSignIn(c, deps, (person) => show(c, deps, person, null)));
  app.post(PATHS.clients, (c) =>
    withVerifiedForm(c, deps, async (form, person) => {
      const { subject } = person;
      // Stores the client's name before disconnecting, so that the activity can still name the client.
      await clientNames(await deps.namesOf(subject), deps.historyOf(subject));
      if (await disconnectClient(deps.oauth, deps.consentsOf(subject), subject, formText(form, 'client'))) {
        return continueAfterForm(c, 'disconnected', PATHS.clients);
      }
      return show(c, deps, person, 'That client is no longer connected.');
    }),
  );
  return app;
}

async function show(c: Context<SiteEnv>, deps: SiteDeps, person: SignedIn, problem: string | null) {
  const { subject } = person;
  const respond = startConsolePage(c, deps, person);
  const [connected, used, tokens] = await Promise.all([
    connectedClients(deps.oauth, subject),
    deps.historyOf(subject).clients(),
    deps.tokens.count(subject),
  ]);
  const usedAt = new Map(used.map((one) => [one.id, one.usedAt]));
  const clients = connected.map((client) => ({ ...client, lastUsedAt: usedAt.get(client.id) ?? null }));
  const view = { clients, tokens, problem };
  return respond(<Clients {...view} />, problem === null ? 200 : 409);
}

type ListedClient = ConnectedClient & { lastUsedAt: number | null };

type Props = {
  clients: readonly ListedClient[];
  tokens: number;
  problem: string | null;
};

function Clients({ clients, tokens, problem }: Props) {
  return (
    <ConsolePage
      title="Clients"
      at={PATHS.clients}
      lead="Who may act for you, and what each one may do."
      actions={<ItemButtons to={PATHS.clients} link={{ to: '/#connect', label: 'Connect a client' }} />}
      problem={problem}
    >
      <h2>Connected clients</h2>
      <ItemList
        to={PATHS.clients}
        items={clients.map(clientItem)}
        none={
          <>
            No clients yet. <a href="/#connect">Connect one</a>: it opens a page here on which you decide what it may
            do.
          </>
        }
      />
      <h2>Access tokens</h2>
      <p>
        {tokens === 0 ? 'You have none.' : tokens === 1 ? 'You have one.' : `You have ${tokens}.`}{' '}
        <a href={PATHS.accessTokens}>Access tokens</a> are for agents and scripts that cannot open a sign-in page.
      </p>
    </ConsolePage>
  );
}

function clientItem(client: ListedClient): ListEntry {
  const { id, name, hosts, isVerified, scopes, connections, createdAt, lastUsedAt } = client;
  const to = hosts.length === 0 ? 'A client' : hosts.join(', ');
  return {
    about: isVerified ? name : `${to} ${quoteCurly(name)}`,
    name: <bdi>{to}</bdi>,
    icon: 'client',
    state: isVerified ? { text: 'verified', looks: 'ok' } : { text: 'not verified', looks: 'warn' },
    body: isVerified ? (
      <span class="facts"> as published by {name}</span>
    ) : (
      <span class="facts">
        {' '}
        calls itself <bdi class="claimed">{quoteCurly(name)}</bdi>
      </span>
    ),
    facts: [
      <>
        {connections === 1 ? 'Connected' : `${connections} connections, the first`} <Timestamp at={createdAt} />
      </>,
      <LastUsed at={lastUsedAt} never="Not used yet" />,
      `May ${describeScopes(scopes)}`,
    ],
    actions: [{ label: 'Disconnect', sends: { client: id }, asks: 'disconnect' }],
  };
}
