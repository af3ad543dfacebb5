import { createContext, useContext } from 'hono/jsx';
import type { Child } from 'hono/jsx';
import { BrandLink, Layout, SignOutFields } from '#web/layout.tsx';
import { Icon } from '#web/style/icons.tsx';
import type { IconName } from '#web/style/icons.tsx';
import type { WaitingRequest } from '#web/page-response.ts';
import { ClockContext, createPageClock } from '#web/times.ts';
import { approvalPath, PATHS, livePath } from '#core/paths.ts';
import { DoneMessage } from '#web/parts/confirm.tsx';
import type { DoneMessageCode } from '#web/parts/confirm.tsx';
import { FormProblem, FormToken } from '#web/parts/form.tsx';

export type ConsoleVisitor = {
  isOwner: boolean;
  name: string | null;
  form: string;
  done: DoneMessageCode | null;
  zone: string;
  /** Open requests of models to the user; `null` if they could not be read. */
  waiting: readonly WaitingRequest[] | null;
};

/** The signed-in user for whom the page is rendered, provided by `startConsolePage`. */
export const VisitorContext = createContext<ConsoleVisitor>({
  isOwner: false,
  name: null,
  form: '',
  done: null,
  zone: 'UTC',
  waiting: null,
});

export function useVisitor(): ConsoleVisitor {
  return useContext(VisitorContext);
}

type Props = {
  title: string;
  at: string;
  lead?: Child;
  /** A state such as "open", shown after the title. */
  mark?: Child;
  actions?: Child;
  problem?: string | null;
  children: Child;
};

/** Frame of every console page: navigation, title and the confirmation of the last action. */
export function ConsolePage({ title, at, lead, mark, actions, problem = null, children }: Props) {
  const visitor = useVisitor();
  const waiting = visitor.waiting ?? [];
  const count = waiting.length === 0 ? '' : `(${waiting.length}) `;
  return (
    <ClockContext.Provider value={createPageClock(visitor.zone, Date.now())}>
      <Layout
        title={`${count}${title} – Periscope`}
        width="wide"
        before={<TopBar waiting={waiting} />}
        aside={<Navigation at={at} visitor={visitor} waiting={waiting} />}
      >
        <div class="title">
          <h1>{title}</h1>
          {mark}
          {actions}
        </div>
        <DoneMessage done={visitor.done} />
        {lead === undefined ? null : <p class="lead">{lead}</p>}
        <FormProblem text={problem} />
        <FormToken.Provider value={visitor.form}>{children}</FormToken.Provider>
      </Layout>
    </ClockContext.Provider>
  );
}

function TopBar({ waiting }: { waiting: readonly WaitingRequest[] }) {
  return (
    <>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <header class="top">
        <BrandLink to={PATHS.console} />
        <Waits waiting={waiting} />
        <button type="button" popovertarget="menu">
          <Icon name="menu" />
          Menu
        </button>
      </header>
    </>
  );
}

function Navigation({
  at,
  visitor,
  waiting,
}: {
  at: string;
  visitor: ConsoleVisitor;
  waiting: readonly WaitingRequest[];
}) {
  return (
    <nav class="console" aria-label="Console" id="menu" popover="auto">
      <BrandLink to={PATHS.console} />
      <button type="button" class="close" popovertarget="menu" popovertargetaction="hide">
        <Icon name="close" />
        Close
      </button>
      <Waits waiting={waiting} />
      {GROUPS.map(({ group, links }) => (
        <div class="group">
          <p id={`group-${group.toLowerCase()}`}>{group}</p>
          <ul aria-labelledby={`group-${group.toLowerCase()}`}>
            {links
              .filter(({ isOwners = false }) => visitor.isOwner || !isOwners)
              .map(({ path, label, icon }) => (
                <li>
                  <a href={path} aria-current={path === at ? 'page' : undefined}>
                    <Icon name={icon} />
                    {label}
                  </a>
                </li>
              ))}
          </ul>
        </div>
      ))}
      <Who visitor={visitor} at={at} />
    </nav>
  );
}

function Who({ visitor: { name, isOwner, zone, form }, at }: { visitor: ConsoleVisitor; at: string }) {
  // Only the owner signs in with the passphrase, which has no name.
  const shown = name ?? 'Owner';
  return (
    <div class="who">
      <span class="face" aria-hidden="true">
        {name === null ? <Icon name="people" /> : (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? '?').toUpperCase()}
      </span>
      <div>
        <b>
          <bdi>{shown}</bdi>
        </b>
        {isOwner && name !== null ? (
          <>
            Owner
            <br />
          </>
        ) : null}
        <a href={PATHS.account} aria-current={at === PATHS.account ? 'page' : undefined}>
          Account
        </a>{' '}
        ·{' '}
        <form method="post" action={PATHS.signOut}>
          <SignOutFields form={form} />
        </form>
        <br />
        Times in <a href={PATHS.timeZone}>{zone.replaceAll('_', ' ')}</a>
      </div>
    </div>
  );
}

export function waitingPath({ session, question }: WaitingRequest): string {
  return question === null ? livePath(session) : approvalPath(session, question);
}

/** Counts the requests, not the models, because one model may wait with several requests. */
export function describeWaitingCount({ length }: readonly WaitingRequest[]): string {
  return length === 1 ? 'A model needs you' : `${length} requests wait for you`;
}

function Waits({ waiting }: { waiting: readonly WaitingRequest[] }) {
  const [first] = waiting;
  if (first === undefined) return null;
  return (
    <a class="waits" href={waiting.length === 1 ? waitingPath(first) : PATHS.console}>
      {describeWaitingCount(waiting)}
    </a>
  );
}

type ConsoleLink = { path: string; label: string; icon: IconName; isOwners?: boolean };

/** The navigation, grouped by what users want to do. */
const GROUPS: readonly { group: string; links: readonly ConsoleLink[] }[] = [
  {
    group: 'Work',
    links: [
      { path: PATHS.console, label: 'Overview', icon: 'overview' },
      { path: PATHS.activity, label: 'Activity', icon: 'activity' },
      { path: PATHS.sessions, label: 'Sessions', icon: 'browser' },
      { path: PATHS.playground, label: 'Try it', icon: 'try' },
    ],
  },
  {
    group: 'Library',
    links: [
      { path: PATHS.library, label: 'Followed', icon: 'follow' },
      { path: PATHS.changes, label: 'Changes', icon: 'change' },
      { path: PATHS.citations, label: 'Citations', icon: 'quote' },
      { path: PATHS.files, label: 'Files', icon: 'file' },
    ],
  },
  {
    group: 'Access',
    links: [
      { path: PATHS.clients, label: 'Clients', icon: 'client' },
      { path: PATHS.accessTokens, label: 'Tokens', icon: 'token' },
      { path: PATHS.secrets, label: 'Secrets', icon: 'secret' },
      { path: PATHS.rules, label: 'Rules', icon: 'rule' },
      { path: PATHS.people, label: 'People', icon: 'people', isOwners: true },
    ],
  },
  {
    group: 'Server',
    links: [
      { path: PATHS.usage, label: 'Usage', icon: 'usage' },
      { path: PATHS.health, label: 'Health', icon: 'health', isOwners: true },
      { path: PATHS.store, label: 'Store', icon: 'store' },
    ],
  },
];

const ACCOUNT: ConsoleLink = { path: PATHS.account, label: 'Account', icon: 'people' };

/** The pages of the console, in the order of its navigation. */
export const CONSOLE_LINKS: readonly ConsoleLink[] = [...GROUPS.flatMap(({ links }) => links), ACCOUNT];
