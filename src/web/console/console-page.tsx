import type { Child } from 'hono/jsx';
import { Layout, SignedInAs } from '#web/layout.tsx';
import type { Waiting } from '#web/answers.ts';
import { ClockContext, clockOf } from '#web/times.ts';
import { PATHS, livePath } from '#core/paths.ts';
import { DoneMessage } from '#web/parts/confirm.tsx';
import type { Done } from '#web/parts/confirm.tsx';
import { FormProblem, FormToken } from '#web/parts/form.tsx';

/** The person who looks at a page of the console. */
export type Visitor = {
  isOwner: boolean;
  /** Who they are, as their sign-in says. */
  name: string | null;
  /** CSRF token for the forms of this page. */
  form: string;
  /** What was done just now. */
  done: Done | null;
  /** In which they read times. */
  zone: string;
  /** What models ask of them now; `null` where that could not be found out. */
  waiting: readonly Waiting[] | null;
};

type Props = {
  visitor: Visitor;
  title: string;
  /** Path of the navigation entry to highlight. */
  at: string;
  /** Purpose of the page, in one sentence. */
  lead?: Child;
  /** Why a form of the page was not carried out, if that concerns no field. */
  problem?: string | null;
  children: Child;
};

/** The frame of every console page: navigation, title, sign-out. */
export function ConsolePage({ visitor, title, at, lead, problem = null, children }: Props) {
  const waiting = visitor.waiting ?? [];
  const count = waiting.length === 0 ? '' : `(${waiting.length}) `;
  return (
    <ClockContext.Provider value={clockOf(visitor.zone, Date.now())}>
      <Layout
        title={`${count}${title} – Periscope`}
        width="wide"
        before={<Navigation at={at} isOwner={visitor.isOwner} waiting={waiting} />}
      >
        <h1>{title}</h1>
        <DoneMessage done={visitor.done} />
        {lead === undefined ? null : <p class="lead">{lead}</p>}
        <FormProblem text={problem} />
        <FormToken.Provider value={visitor.form}>{children}</FormToken.Provider>
        <SignedInAs {...visitor} />
        <p class="facts">
          Times are in {visitor.zone.replaceAll('_', ' ')}. <a href={PATHS.timeZone}>Change the time zone</a>
        </p>
      </Layout>
    </ClockContext.Provider>
  );
}

function Navigation({ at, isOwner, waiting }: { at: string; isOwner: boolean; waiting: readonly Waiting[] }) {
  const links = CONSOLE_LINKS.filter(({ isOwners = false }) => isOwner || !isOwners);
  return (
    <>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <nav class="console" aria-label="Console">
        <ul>
          <Waits waiting={waiting} />
          {links.map(({ path, label }) => (
            <li>
              <a href={path} aria-current={path === at ? 'page' : undefined}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
}

/** In every menu, while a model waits for its person. */
function Waits({ waiting }: { waiting: readonly Waiting[] }) {
  const [first] = waiting;
  if (first === undefined) return null;
  return (
    <li>
      <a class="waits" href={waiting.length === 1 ? livePath(first.session) : PATHS.console}>
        {waiting.length === 1 ? 'A model needs you' : `${waiting.length} models need you`}
      </a>
    </li>
  );
}

type ConsoleLink = { path: string; label: string; isOwners?: boolean };

/** The pages of the console, in the order of its navigation. */
export const CONSOLE_LINKS: readonly ConsoleLink[] = [
  { path: PATHS.console, label: 'Overview' },
  { path: PATHS.playground, label: 'Try it' },
  { path: PATHS.activity, label: 'Activity' },
  { path: PATHS.sessions, label: 'Sessions' },
  { path: PATHS.files, label: 'Files' },
  { path: PATHS.citations, label: 'Citations' },
  { path: PATHS.library, label: 'Library' },
  { path: PATHS.secrets, label: 'Secrets' },
  { path: PATHS.clients, label: 'Clients & tokens' },
  { path: PATHS.usage, label: 'Usage' },
  { path: PATHS.store, label: 'Store' },
  { path: PATHS.account, label: 'Account' },
  { path: PATHS.people, label: 'People', isOwners: true },
  { path: PATHS.health, label: 'Health check', isOwners: true },
];
