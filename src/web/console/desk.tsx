import { Hono } from 'hono';
import type { Context } from 'hono';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import type { BudgetUse } from '#client/deployment/deployment-budgets.ts';
import type { BudgetLimits } from '#core/budgets.ts';
import type { ObjectCalls } from '#core/objects.ts';
import { PATHS } from '#core/paths.ts';
import { clientNamesFor } from '#web/public/clients.tsx';
import type { PersonHistory } from '#storage/person/person-history.ts';
import type { SiteEnv } from '#web/page-response.ts';
import { activityItem } from './activity-lines.tsx';
import { clientNames } from './activity.tsx';
import type { FindClientNames } from '#web/site-deps.ts';
import type { StoredActivity } from '#storage/person/activity-log.ts';
import type { ListedChange } from '#storage/library/changes.ts';
import { changeItem } from './changes-page.tsx';
import { startConsolePage, requireSignIn } from './console.tsx';
import type { ConsoleDeps } from './console.tsx';
import { ItemButtons, ItemList } from '#web/parts/list.tsx';
import type { ListEntry } from '#web/parts/list.tsx';
import { ShareBar } from '#web/parts/plot.tsx';
import { CopyableText, CopyScript } from '#web/copyable.tsx';
import { ConsolePage, useVisitor, describeWaitingCount } from './console-page.tsx';
import { waitingSessionItem } from '#web/sessions/session-page.tsx';
import type { ListedSession } from '#web/sessions/session-page.tsx';
import { sessionItem } from '#web/sessions/sessions.tsx';
import { budgetRows, groupDigits } from './usage.tsx';
import type { BudgetRow } from './usage.tsx';

const LINES_ON_DESK = 5;
const CHANGES_ON_DESK = 3;

type DeskDeps = ConsoleDeps & {
  origin: string;
  hasBrowser: boolean;
  /** Scope of web searches in words; `null` if searches cover only the stored pages. */
  webSearch: string | null;
  /** Number of days for which activity is stored; 0 if it is not stored. */
  days: number;
  limits: BudgetLimits;
  historyOf: (
    subject: string,
  ) => Pick<ObjectCalls<PersonHistory>, 'deeds' | 'wish' | 'sessions' | 'clients' | 'nameClients'>;
  namesOf: FindClientNames;
  openSessions: (subject: string) => Promise<readonly ListedSession[]>;
  changesOf: (subject: string, limit: number) => Promise<readonly ListedChange[]>;
  usedBy: (subject: string) => Promise<BudgetUse>;
  /** Number of a user's secrets; `null` if the deployment cannot store secrets. */
  secretsOf: (subject: string) => Promise<number | null>;
  now: () => number;
};

/** `/console`: open requests to the user, running sessions and the setup. */
export function consoleHomePage(deps: DeskDeps): Hono<SiteEnv> {
  const app = new Hono<SiteEnv>();
  app.get(PATHS.console, (c) => requireSignIn(c, deps, (person) => show(c, deps, person)));
  return app;
}

async function show(c: Context<SiteEnv>, deps: DeskDeps, person: SignedIn): Promise<Response> {
  const { subject, owner: isOwner } = person;
  const history = deps.historyOf(subject);
  const names = deps.namesOf(subject);
  const respond = startConsolePage(c, deps, person);
  const [sessions, used, found, changes, wish, { callers }, nameOf, budget, secrets] = await Promise.all([
    deps.openSessions(subject),
    history.sessions(),
    history.deeds({}, null, LINES_ON_DESK),
    deps.changesOf(subject, CHANGES_ON_DESK),
    history.wish(),
    names,
    names.then((all) => clientNames(all, history)),
    deps.usedBy(subject),
    deps.secretsOf(subject),
  ]);
  const view = {
    sessions,
    lines: deps.days === 0 ? [] : found.deeds,
    changes,
    nameOf,
    pictureOf: (session: string) => used.find(({ name }) => name === session)?.picture ?? null,
    budgets: budgetRows(budget, deps.limits.perDay, deps.now()),
    setUp: setUpOf(deps, {
      isOwner,
      callers: callers.size,
      hasCalls: found.deeds.length > 0,
      secrets,
      keepsActivity: wish.activity,
    }),
    mcpUrl: deps.origin + PATHS.mcp,
    isNew: callers.size === 0 && found.deeds.length === 0,
  };
  return respond(<Desk {...view} />);
}

type SetUp = {
  what: string;
  isReady: boolean;
  /** True if models can do little without it. */
  isNeeded?: true;
  text: string;
  link?: { to: string; label: string };
};

type Found = { isOwner: boolean; callers: number; hasCalls: boolean; secrets: number | null; keepsActivity: boolean };

function setUpOf(
  { hasBrowser, webSearch, days }: DeskDeps,
  { isOwner, callers, hasCalls, secrets, keepsActivity }: Found,
): SetUp[] {
  return [
    {
      what: 'Clients',
      isReady: callers > 0 || hasCalls,
      isNeeded: true,
      text:
        callers === 0
          ? hasCalls
            ? 'Only the token of npm start, or you, have made calls. No other client is connected.'
            : 'No client is connected, and you have no access token.'
          : `${numbered(callers, 'client or token', 'clients and tokens')} may act for you.`,
      link:
        callers === 0 ? { to: '/#connect', label: 'Connect a client' } : { to: PATHS.clients, label: 'Manage clients' },
    },
    {
      what: 'Web search',
      isReady: webSearch !== null,
      isNeeded: true,
      text:
        webSearch === null
          ? `Searches cover only the pages opened here before. ${isOwner ? HOW_TO_SEARCH_THE_WEB : 'The owner can set up web search.'}`
          : `Searches cover ${webSearch}.`,
    },
    {
      what: 'Browser',
      isReady: hasBrowser,
      text: hasBrowser ? 'Your models can use a browser.' : 'The owner switches it on with RENDER_ENABLED.',
    },
    {
      what: 'Secrets',
      isReady: secrets !== null && secrets > 0,
      text:
        secrets === null
          ? 'They cannot be stored until the owner sets SESSION_SECRET.'
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
            ? `Stored for ${numbered(days, 'day', 'days')}.`
            : 'You have turned it off.',
      ...(days === 0 ? {} : { link: { to: PATHS.activity, label: keepsActivity ? 'Manage activity' : 'Turn it on' } }),
    },
  ];
}

const HOW_TO_SEARCH_THE_WEB =
  'To search the web, set SEARCH_PROVIDERS=keenable (no key, with npm start only), BRAVE_API_KEY or SEARXNG_URL.';

function numbered(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

type Props = {
  sessions: readonly ListedSession[];
  lines: readonly StoredActivity[];
  changes: readonly ListedChange[];
  nameOf: (client: string) => string;
  pictureOf: (session: string) => string | null;
  budgets: readonly BudgetRow[];
  setUp: readonly SetUp[];
  mcpUrl: string;
  /** True if the user has no connected client and no listed activity. */
  isNew: boolean;
};

function Desk(props: Props) {
  const { lines, changes, nameOf, budgets, setUp, mcpUrl, isNew } = props;
  const { waiting } = useVisitor();
  // A waiting session has its own card, so it is not listed again.
  const sessions = props.sessions.filter(
    ({ name, isDriven }) => isDriven || waiting?.some(({ session }) => session === name) !== true,
  );
  return (
    <ConsolePage
      title="Overview"
      at={PATHS.console}
      actions={<ItemButtons to={PATHS.console} link={{ to: '/#connect', label: 'Connect a client' }} />}
    >
      <WaitingCards {...props} />
      {isNew ? <Connect mcpUrl={mcpUrl} isNew /> : null}
      <Budgets rows={budgets} />
      <div class="halves">
        <div>
          <Heading title="Latest activity" link={lines.length === 0 ? null : [PATHS.activity, 'All activity']} />
          <ItemList
            kind="lines"
            items={lines.map((line) => activityItem(line, nameOf))}
            none={
              <>
                Nothing yet. What your models search, read and cite appears here a moment later.{' '}
                <a href={PATHS.playground}>Try a call yourself</a>
              </>
            }
          />
          {changes.length === 0 ? null : (
            <>
              <Heading title="Latest changes" link={[PATHS.changes, 'All changes']} />
              <ItemList items={changes.map(changeItem)} />
            </>
          )}
          <Heading title="Open sessions" link={[PATHS.sessions, 'All sessions']} />
          <ItemList
            to={PATHS.sessions}
            items={sessions.map(sessionItem)}
            none={
              waiting === null || waiting.length === 0
                ? 'None right now. When a model opens a page in a browser, you can watch it here and take over.'
                : 'No other session is open.'
            }
          />
        </div>
        <div>
          <Heading title="Setup" link={null} />
          <ItemList kind="settings" items={setUp.toSorted(byAttention).map(setUpItem)} />
          {isNew ? null : <Connect mcpUrl={mcpUrl} isNew={false} />}
        </div>
      </div>
    </ConsolePage>
  );
}

function Heading({ title, link }: { title: string; link: readonly [to: string, label: string] | null }) {
  return (
    <div class="heading">
      <h2>{title}</h2>
      {link === null ? null : <a href={link[0]}>{link[1]}</a>}
    </div>
  );
}

function Budgets({ rows }: { rows: readonly BudgetRow[] }) {
  return (
    <section aria-label="Used in the last 24 hours">
      <ul class="tiles">
        {rows.map(({ label, used, reserved, limit }) => (
          <li>
            {label} <b>{groupDigits(used ?? 0)}</b> of {groupDigits(limit)} in 24 hours
            {(used ?? 0) + reserved < limit / 2 ? null : `, ${groupDigits(reserved)} more reserved`}
            <ShareBar part={used ?? 0} more={reserved} whole={limit} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function WaitingCards({ pictureOf }: Pick<Props, 'pictureOf'>) {
  const { waiting } = useVisitor();
  if (waiting === null) {
    return (
      <p class="problem" role="alert">
        This page could not check for models that wait for you. Reload it in a moment.
      </p>
    );
  }
  if (waiting.length === 0) return null;
  return (
    <section aria-label={describeWaitingCount(waiting)}>
      <ItemList kind="waiting" items={waiting.map((one) => waitingSessionItem(one, pictureOf(one.session)))} />
    </section>
  );
}

function Connect({ mcpUrl, isNew }: { mcpUrl: string; isNew: boolean }) {
  return (
    <section class="card">
      <h2>{isNew ? 'Connect your first client' : 'Connect another client'}</h2>
      <p>{isNew ? `Give this address to ${clientNamesFor(mcpUrl)} or another MCP client` : 'Its connector URL'}:</p>
      <CopyableText text={mcpUrl} what="the connector URL" />
      <CopyScript />
      <p class="facts">
        <a href="/#connect">Steps for each client</a>
        {isNew ? (
          <>
            {' '}
            or <a href={PATHS.playground}>try it without a client</a>
          </>
        ) : null}
      </p>
    </section>
  );
}

function needsAttention({ isReady, isNeeded }: SetUp): boolean {
  return isNeeded === true && !isReady;
}

function byAttention(one: SetUp, other: SetUp): number {
  return Number(needsAttention(other)) - Number(needsAttention(one));
}

function setUpItem(setUp: SetUp): ListEntry {
  const { what, isReady, text, link } = setUp;
  return {
    name: what,
    state: isReady
      ? { text: 'ready', looks: 'ok' }
      : { text: 'not set up', ...(needsAttention(setUp) ? { looks: 'warn' } : {}) },
    body: (
      <p class="facts">
        {text}
        {link === undefined ? null : (
          <>
            {' '}
            <a href={link.to}>
              {link.label}
              <span class="unseen">: {what}</span>
            </a>
          </>
        )}
      </p>
    ),
  };
}
