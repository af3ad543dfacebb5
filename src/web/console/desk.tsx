import { Hono } from 'hono';
import type { Context } from 'hono';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import type { BudgetUse } from '#client/deployment/deployment-budgets.ts';
import type { BudgetLimits } from '#core/budgets.ts';
import type { ObjectCalls } from '#core/objects.ts';
import { PATHS, livePath, sessionPath } from '#core/paths.ts';
import { toPlain } from '#core/text/plain.ts';
import { clientNamesFor } from '#web/public/clients.tsx';
import type { PersonHistory } from '#storage/person/person-history.ts';
import { page } from '#web/answers.ts';
import type { Site, Waiting } from '#web/answers.ts';
import { activityItem } from './activity-lines.tsx';
import { clientNames } from './activity.tsx';
import type { NamesOf } from './activity.tsx';
import type { StoredActivity } from '#storage/person/activity-log.ts';
import { consoleVisitor, requireSignIn } from './console.tsx';
import type { ConsoleDeps } from './console.tsx';
import { ItemList } from '#web/parts/list.tsx';
import type { Item } from '#web/parts/list.tsx';
import { ConsolePage } from './console-page.tsx';
import type { Visitor } from './console-page.tsx';
import type { ListedSession } from '#web/sessions/session-page.tsx';
import { sessionItem } from '#web/sessions/sessions.tsx';
import { BudgetTable, budgetRows } from './usage.tsx';
import type { BudgetRow } from './usage.tsx';

/** Lines of activity on the desk; the rest is on their own page. */
const LINES_ON_DESK = 5;

type DeskDeps = ConsoleDeps & {
  origin: string;
  hasBrowser: boolean;
  /** What searches of models cover; `null` when that is the stored pages. */
  webSearch: string | null;
  /** How many days activity is kept; 0 for not at all. */
  days: number;
  limits: BudgetLimits;
  historyOf: (
    subject: string,
  ) => Pick<ObjectCalls<PersonHistory>, 'deeds' | 'wish' | 'sessions' | 'clients' | 'nameClients'>;
  namesOf: NamesOf;
  openSessions: (subject: string) => Promise<readonly ListedSession[]>;
  usedBy: (subject: string) => Promise<BudgetUse>;
  /** Secrets that a person keeps; `null` where none can be kept. */
  secretsOf: (subject: string) => Promise<number | null>;
  now: () => number;
};

/** `/console`: what needs its person now, what is going on, and what is set up. */
export function deskPage(deps: DeskDeps): Hono<Site> {
  const app = new Hono<Site>();
  app.get(PATHS.console, (c) => requireSignIn(c, deps, (person) => show(c, deps, person)));
  return app;
}

async function show(c: Context<Site>, deps: DeskDeps, person: SignedIn): Promise<Response> {
  const { subject } = person;
  const history = deps.historyOf(subject);
  const names = deps.namesOf(subject);
  const [visitor, sessions, used, found, wish, { callers }, nameOf, budget, secrets] = await Promise.all([
    consoleVisitor(c, deps, person),
    deps.openSessions(subject),
    history.sessions(),
    history.deeds({}, null, LINES_ON_DESK),
    history.wish(),
    names,
    names.then((all) => clientNames(all, history)),
    deps.usedBy(subject),
    deps.secretsOf(subject),
  ]);
  const view = {
    visitor,
    // Those that wait have a card of their own.
    sessions: sessions.filter(({ asked, isDriven }) => asked === null || isDriven || visitor.waiting === null),
    lines: deps.days === 0 ? [] : found.deeds,
    nameOf,
    pictureOf: (session: string) => used.find(({ name }) => name === session)?.picture ?? null,
    budgets: budgetRows(budget, deps.limits.perDay, deps.now()),
    setUp: setUpOf(deps, { callers: callers.size, secrets, keepsActivity: wish.activity }),
    mcpUrl: deps.origin + PATHS.mcp,
    isNew: callers.size === 0 && found.deeds.length === 0,
  };
  return page(c, <Desk {...view} />, 200);
}

type SetUp = { what: string; isReady: boolean; text: string; link?: { to: string; label: string } };

function setUpOf(
  { hasBrowser, webSearch, days }: DeskDeps,
  { callers, secrets, keepsActivity }: { callers: number; secrets: number | null; keepsActivity: boolean },
): SetUp[] {
  return [
    {
      what: 'Clients',
      isReady: callers > 0,
      text:
        callers === 0
          ? 'You have connected none, and made no access token.'
          : `${numbered(callers, 'client or token', 'clients and tokens')} may act for you.`,
      link:
        callers === 0 ? { to: '/#connect', label: 'Connect a client' } : { to: PATHS.clients, label: 'Manage them' },
    },
    {
      what: 'Web search',
      isReady: webSearch !== null,
      text:
        webSearch === null
          ? 'Searches cover only the pages opened here before. The owner sets a key, such as BRAVE_API_KEY, or SEARXNG_URL.'
          : `Searches cover ${webSearch}.`,
    },
    {
      what: 'Browser',
      isReady: hasBrowser,
      text: hasBrowser ? 'Your models can use one.' : 'The owner switches it on with RENDER_ENABLED.',
    },
    {
      what: 'Secrets',
      isReady: secrets !== null && secrets > 0,
      text:
        secrets === null
          ? 'They cannot be kept until the owner sets SESSION_SECRET.'
          : secrets === 0
            ? 'Your models can sign in for you without seeing the password.'
            : `Your models can use ${numbered(secrets, 'secret', 'secrets')} without seeing ${secrets === 1 ? 'it' : 'them'}.`,
      ...(secrets === null
        ? {}
        : { link: { to: PATHS.secrets, label: secrets === 0 ? 'Add a secret' : 'Manage secrets' } }),
    },
    {
      what: 'Activity',
      isReady: days > 0 && keepsActivity,
      text:
        days === 0
          ? 'The owner has turned it off.'
          : keepsActivity
            ? `Kept for ${numbered(days, 'day', 'days')}.`
            : 'You have turned it off.',
      ...(days === 0 ? {} : { link: { to: PATHS.activity, label: keepsActivity ? 'Manage activity' : 'Turn it on' } }),
    },
  ];
}

function numbered(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

type Props = {
  visitor: Visitor;
  sessions: readonly ListedSession[];
  lines: readonly StoredActivity[];
  nameOf: (client: string) => string;
  pictureOf: (session: string) => string | null;
  budgets: readonly BudgetRow[];
  setUp: readonly SetUp[];
  mcpUrl: string;
  /** Nothing has acted for them yet. */
  isNew: boolean;
};

function Desk(props: Props) {
  const { visitor, sessions, lines, nameOf, budgets, setUp, mcpUrl, isNew } = props;
  return (
    <ConsolePage visitor={visitor} title="Overview" at={PATHS.console}>
      <WaitingCards {...props} />
      {isNew ? <Connect mcpUrl={mcpUrl} isNew /> : null}
      <h2>Open sessions</h2>
      <ItemList
        to={PATHS.sessions}
        items={sessions.map(sessionItem)}
        none={
          visitor.waiting === null || visitor.waiting.length === 0
            ? 'None right now. When a model opens a page in a browser, you can watch it here and take over.'
            : 'None but those above.'
        }
      />
      <h2>Latest activity</h2>
      <ItemList
        items={lines.map((line) => activityItem(line, nameOf))}
        none={
          <>
            Nothing yet. What your models search, read and cite appears here a moment later.{' '}
            <a href={PATHS.playground}>Try a call yourself</a>
          </>
        }
        next={{ to: lines.length === 0 ? null : PATHS.activity, label: 'All activity' }}
      />
      <h2>Budgets of the last 24 hours</h2>
      <BudgetTable rows={budgets} whose="Your budgets" />
      <p>
        <a href={PATHS.usage}>Usage in detail</a>
      </p>
      <h2>What is set up</h2>
      <ItemList items={setUp.map(setUpItem)} />
      {isNew ? null : <Connect mcpUrl={mcpUrl} isNew={false} />}
    </ConsolePage>
  );
}

function WaitingCards({ visitor: { waiting }, pictureOf }: Pick<Props, 'visitor' | 'pictureOf'>) {
  if (waiting === null) {
    return (
      <p class="problem" role="alert">
        This page could not check for models that wait for you. Reload it in a moment.
      </p>
    );
  }
  if (waiting.length === 0) return null;
  return (
    <section aria-labelledby="waiting">
      <h2 id="waiting">{waiting.length === 1 ? 'A model needs you' : `${waiting.length} models need you`}</h2>
      <ItemList items={waiting.map((one) => waitingItem(one, pictureOf(one.session)))} isWaiting />
    </section>
  );
}

function waitingItem({ session, reason }: Waiting, step: string | null): Item {
  return {
    about: session,
    picture: { step, to: livePath(session), alt: `Last picture of the session ${session}`, without: null },
    body: (
      <p>
        <q>{toPlain(reason)}</q>
      </p>
    ),
    facts: [
      <>
        In the session <a href={sessionPath(session)}>{session}</a>. The model goes on when you give the browser back.
      </>,
    ],
    link: { to: livePath(session), label: 'Take over', isMain: true },
  };
}

function Connect({ mcpUrl, isNew }: { mcpUrl: string; isNew: boolean }) {
  return (
    <>
      <h2>{isNew ? 'Connect your first client' : 'Connect another client'}</h2>
      <p>{isNew ? `Give this address to ${clientNamesFor(mcpUrl)} or another MCP client` : 'The address for it'}:</p>
      <pre>
        <code class="once">{mcpUrl}</code>
      </pre>
      <p>
        <a href="/#connect">Steps for each client</a>
        {isNew ? (
          <>
            {' '}
            or <a href={PATHS.playground}>try it without a client</a>
          </>
        ) : null}
      </p>
    </>
  );
}

function setUpItem({ what, isReady, text, link }: SetUp): Item {
  return {
    name: what,
    state: isReady ? { text: 'ready', looks: 'state ready' } : { text: 'not set up', looks: 'state' },
    facts: [text],
    link,
  };
}
