import { livePath, PATHS, sessionPath } from '#core/paths.ts';
import { toPlain } from '#core/plain.ts';
import { Address } from './citation.tsx';
import { ConsolePage, Deed, Problem } from './console-page.tsx';
import type { Visitor } from './console-page.tsx';
import { Moment } from './moment.tsx';
import { Shot } from './shot.tsx';

/** A browser session as its person sees it; times in ms. */
export type ListedSession = {
  name: string;
  /** `ended`: only its steps are left. */
  state: 'open' | 'parked' | 'ended';
  isDriven: boolean;
  /** What a model asks its person for, in its words. */
  asked: string | null;
  /** Where its tabs are; of one without a browser, where it was last. */
  urls: readonly string[];
  title: string | null;
  usedAt: number;
  restsAt: number | null;
  /** Browser time. */
  paidMs: number;
  /** Its newest picture. */
  picture: string | null;
};

type Props = {
  visitor: Visitor;
  sessions: readonly ListedSession[];
  /** Whether this deployment has a browser. */
  hasBrowser: boolean;
  problem: string | null;
};

/** `/console/sessions`: the browsers that a person's models use. */
export function Sessions({ visitor, sessions, hasBrowser, problem }: Props) {
  return (
    <ConsolePage visitor={visitor} title="Sessions" at={PATHS.sessions}>
      <p class="lead">The browsers your models use. Their cookies and pages are theirs alone, and yours.</p>
      <Problem text={problem} />
      {sessions.length === 0 ? <Nothing hasBrowser={hasBrowser} /> : null}
      <ul class="cards">
        {sessions.map((session) => (
          <Card session={session} form={visitor.form} />
        ))}
      </ul>
    </ConsolePage>
  );
}

function Nothing({ hasBrowser }: { hasBrowser: boolean }) {
  return hasBrowser ? (
    <p>
      There are none yet. <a href="/#connect">Connect a client</a>, allow it <code>browser:use</code>, and ask its model
      to open a page in the browser.
    </p>
  ) : (
    <p>This server has no browser: its owner has to switch it on (RENDER_ENABLED).</p>
  );
}

function Card({ session, form }: { session: ListedSession; form: string }) {
  const { name, state, urls, title, usedAt, picture } = session;
  return (
    <li class="pictured">
      <Shot picture={picture} to={sessionPath(name)} alt={`Last picture of the session ${name}`} without={null} />
      <div>
        <strong>
          <a href={sessionPath(name)}>{name}</a>
        </strong>{' '}
        <State session={session} />
        <Asked session={session} />
        {title === null ? null : (
          <p>
            <bdi>{title}</bdi>
          </p>
        )}
        {urls.map((url) => (
          <p class="facts">
            <Address url={url} />
          </p>
        ))}
        <p class="facts">
          last used <Moment at={usedAt} precise />
          <Time session={session} />
        </p>
      </div>
      {state === 'ended' ? null : <Doing name={name} form={form} />}
    </li>
  );
}

/** What a person can do with a session that goes on. */
export function Doing({ name, form }: { name: string; form: string }) {
  return (
    <div class="actions">
      <a href={livePath(name)}>
        Live view<span class="unseen"> of {name}</span>
      </a>
      <Deed to={PATHS.sessions} form={form} fields={{ name, do: 'end' }} label="End" about={name} />
    </div>
  );
}

export function State({ session }: { session: Pick<ListedSession, 'state' | 'isDriven' | 'asked'> }) {
  const { state, isDriven, asked } = session;
  return <span class="state">{isDriven ? 'a person drives' : asked === null ? state : 'waits for you'}</span>;
}

/** What a person should come for. */
export function Asked({ session: { name, asked } }: { session: Pick<ListedSession, 'name' | 'asked'> }) {
  if (asked === null) return null;
  return (
    <p class="doubt">
      A model asks you: <q>{toPlain(asked)}</q> <a href={livePath(name)}>Take over</a>
    </p>
  );
}

export function Time({ session: { paidMs, restsAt } }: { session: Pick<ListedSession, 'paidMs' | 'restsAt'> }) {
  const minutes = Math.ceil(paidMs / 60_000);
  return (
    <>
      {minutes === 0 ? null : `, ${minutes} browser ${minutes === 1 ? 'minute' : 'minutes'} used`}
      {restsAt === null ? null : (
        <>
          , parked at <Moment at={restsAt} precise /> if nobody uses it
        </>
      )}
    </>
  );
}
