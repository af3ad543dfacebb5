import { PATHS, livePath, sessionPath } from '#core/paths.ts';
import type { KeptStep } from '#storage/person/steps.ts';
import { toPlain } from '#core/text/plain.ts';
import { PageAddress } from '#web/public/citation.tsx';
import { ActionButton, Actions } from '#web/parts/form.tsx';
import type { Action } from '#web/parts/form.tsx';
import { ItemList } from '#web/parts/list.tsx';
import type { Item } from '#web/parts/list.tsx';
import { Timestamp } from '#web/parts/timestamp.tsx';
import { ConsolePage } from '#web/console/console-page.tsx';
import type { Visitor } from '#web/console/console-page.tsx';
import { stepWords } from './step-words.ts';

/** Times in ms. */
export type ListedSession = {
  name: string;
  /** `ended`: only its steps are left. */
  state: 'open' | 'parked' | 'ended';
  isDriven: boolean;
  /** The model's request to the person, in its own words. */
  asked: string | null;
  /** Addresses of its tabs, or the last ones of a parked session. */
  urls: readonly string[];
  title: string | null;
  usedAt: number;
  restsAt: number | null;
  paidMs: number;
  /** What pages see of the browser: its device, language and so on. */
  sees: string | null;
  /** Id of the step with the newest picture. */
  picture: string | null;
};

type Props = {
  visitor: Visitor;
  session: ListedSession;
  /** Newest first. */
  steps: readonly KeptStep[];
  next: string | null;
  pictures: { isOffered: boolean; isWanted: boolean };
  problem: string | null;
};

export function Session({ visitor, session, steps, next, pictures, problem }: Props) {
  const { name, state, usedAt, sees } = session;
  return (
    <ConsolePage visitor={visitor} title={`Session ${name}`} at={PATHS.sessions} problem={problem}>
      <p>
        <span class="state">{stateInWords(session)}</span>
      </p>
      <HandoffRequest session={session} />
      <p class="facts">
        Last used <Timestamp at={usedAt} precise />
        <Time session={session} />
      </p>
      {sees === null ? null : <p class="facts">Pages see {sees}.</p>}
      {state === 'ended' ? null : <Doing name={name} />}
      <h2>Steps</h2>
      <p>The steps of your models, with a picture of the page after each step. They are stored for a week.</p>
      <ItemList
        items={steps.map(stepItem)}
        none="None yet. Each click, scroll, filled field and visited address appears here as a step."
        isNumbered
        next={{ to: next, label: 'Older steps' }}
      />
      {steps.length === 0 ? null : <Export name={name} />}
      <Keeping name={name} pictures={pictures} hasSteps={steps.length > 0} />
    </ConsolePage>
  );
}

function Export({ name }: Pick<ListedSession, 'name'>) {
  return (
    <>
      <h2>Export</h2>
      <p>
        <a href={`${PATHS.sessionTest}?${new URLSearchParams({ name }).toString()}`}>
          Download the steps as a Playwright test
        </a>
        . Secrets and typed keys become environment variables.
      </p>
    </>
  );
}

function stepItem({ id, seq, at, what, url, title, error, without, done = [] }: KeptStep): Item {
  const name = stepWords(what, done);
  return {
    id: `step-${seq}`,
    picture: { step: without === null ? id : null, to: null, alt: `The page after this step: ${name}`, without },
    name: <bdi>{name}</bdi>,
    state: error === null ? null : { text: `failed: ${error}`, looks: 'doubt' },
    body:
      title === null ? null : (
        <p>
          <bdi>{title}</bdi>
        </p>
      ),
    facts: [url === null ? null : <PageAddress url={url} />, <Timestamp at={at} precise />],
  };
}

function Keeping({ name, pictures, hasSteps }: { name: string; pictures: Props['pictures']; hasSteps: boolean }) {
  const { isOffered, isWanted } = pictures;
  const forget: Action = { label: 'Delete these steps', sends: { do: 'forget' }, asks: 'steps' };
  const turn: Action = isWanted
    ? { label: 'Delete all pictures and turn them off', sends: { do: 'off' }, asks: 'pictures' }
    : { label: 'Turn pictures on', sends: { do: 'on' } };
  return (
    <>
      <h2>What is kept</h2>
      <p>
        {isOffered
          ? isWanted
            ? 'Only you can see the pictures. No picture is taken while you have control, after you have typed in the page, or when the page asks for a password, a code or a CAPTCHA.'
            : 'You have turned pictures off. Steps are kept without them.'
          : 'The owner of this server has turned pictures off (STEP_PICTURES).'}
      </p>
      <Actions to={sessionPath(name)} actions={[...(hasSteps ? [forget] : []), ...(isOffered ? [turn] : [])]} />
    </>
  );
}

function Doing({ name }: { name: string }) {
  return (
    <div class="actions">
      <a href={livePath(name)}>
        Live view<span class="unseen"> of {name}</span>
      </a>
      <ActionButton to={PATHS.sessions} about={name} {...endAction(name)} />
    </div>
  );
}

export function endAction(name: string): Action {
  return { label: 'End', sends: { name, do: 'end' }, asks: 'end' };
}

export function stateInWords({ state, isDriven, asked }: Pick<ListedSession, 'state' | 'isDriven' | 'asked'>): string {
  return isDriven ? 'a person is driving' : asked === null ? state : 'waiting for you';
}

export function HandoffRequest({ session: { name, asked } }: { session: Pick<ListedSession, 'name' | 'asked'> }) {
  if (asked === null) return null;
  return (
    <p class="doubt">
      A model needs you: <q>{toPlain(asked)}</q> <a href={livePath(name)}>Take over</a>
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
          , pauses <Timestamp at={restsAt} precise /> unless it is used
        </>
      )}
    </>
  );
}
