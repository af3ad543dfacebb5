import { PATHS, livePath, sessionPath } from '#core/paths.ts';
import type { StoredStep } from '#storage/person/step-table.ts';
import { sanitizeText } from '#core/text/plain.ts';
import { PageUrlLink } from '#web/public/citation.tsx';
import type { Child } from 'hono/jsx';
import { MINUTE_MS } from '#core/limits.ts';
import { Actions } from '#web/parts/form.tsx';
import type { ItemAction } from '#web/parts/form.tsx';
import type { WaitingRequest } from '#web/page-response.ts';
import { ItemButtons, FactsLine, ItemList, StateMark } from '#web/parts/list.tsx';
import type { ListEntry, StateLabel } from '#web/parts/list.tsx';
import { Timestamp } from '#web/parts/timestamp.tsx';
import { ConsolePage, useVisitor, waitingPath } from '#web/console/console-page.tsx';
import { describeSteps } from './step-words.ts';

/** A session in the list. Times in ms. */
export type ListedSession = {
  name: string;
  state: 'open' | 'parked' | 'ended';
  isDriven: boolean;
  asked: string | null;
  urls: readonly string[];
  title: string | null;
  usedAt: number;
  restsAt: number | null;
  paidMs: number;
  /** Settings of the browser that pages can observe, such as device and language. */
  sees: string | null;
  picture: string | null;
};

type Props = {
  session: ListedSession;
  steps: readonly StoredStep[];
  next: string | null;
  pictures: { isOffered: boolean; isWanted: boolean };
  problem: string | null;
};

export function SessionPage({ session, steps, next, pictures, problem }: Props) {
  const { name, sees } = session;
  return (
    <ConsolePage
      title={`Session ${name}`}
      at={PATHS.sessions}
      problem={problem}
      mark={<StateMark {...sessionItemState(session)} />}
      actions={<ItemButtons to={PATHS.sessions} {...sessionActions(session)} />}
    >
      <FactsLine of={[...describeSessionUse(session), sees === null ? null : `Pages see ${sees}.`]} />
      <HandoffRequest session={session} />
      <h2>Steps</h2>
      <p>The steps of your models, with a picture of the page after each step. They are stored for a week.</p>
      <ItemList
        items={steps.map(stepItem)}
        none="None yet. Each click, scroll, filled field and visited address appears here as a step."
        kind="numbered"
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

function stepItem({ id, seq, at, what, url, title, error, without, done = [] }: StoredStep): ListEntry {
  const name = describeSteps(what, done);
  return {
    id: `step-${seq}`,
    picture: { step: without === null ? id : null, to: null, alt: `The page after this step: ${name}`, without },
    name: <bdi>{name}</bdi>,
    state: error === null ? null : stateOfFailed(error),
    facts: [title === null ? null : <bdi>{title}</bdi>, url === null ? null : <PageUrlLink url={url} />],
    aside: <Timestamp at={at} precise />,
  };
}

function stateOfFailed(error: string): StateLabel {
  return error === 'approval_needed'
    ? { text: 'not done: you were asked first', looks: 'warn' }
    : { text: `failed: ${error.replaceAll('_', ' ')}`, looks: 'bad' };
}

function Keeping({ name, pictures, hasSteps }: { name: string; pictures: Props['pictures']; hasSteps: boolean }) {
  const { isOffered, isWanted } = pictures;
  const forget: ItemAction = { label: 'Delete these steps', sends: { do: 'forget' }, asks: 'steps' };
  const turn: ItemAction = isWanted
    ? { label: 'Delete all pictures and turn them off', sends: { do: 'off' }, asks: 'pictures' }
    : { label: 'Turn pictures on', sends: { do: 'on' } };
  return (
    <>
      <h2>What is stored</h2>
      <p>
        {isOffered
          ? isWanted
            ? 'Only you can see the pictures. No picture is taken while you have control, after you have typed in the page, or when the page asks for a password, a code or a CAPTCHA.'
            : 'You have turned pictures off. Steps are stored without them.'
          : 'The owner of this server has turned pictures off (STEP_PICTURES).'}
      </p>
      <Actions to={sessionPath(name)} actions={[...(hasSteps ? [forget] : []), ...(isOffered ? [turn] : [])]} />
    </>
  );
}

/** Actions on a session in a list: take over if a model waits, otherwise watch. */
export function sessionActions(session: ListedSession): Pick<ListEntry, 'about' | 'link' | 'actions'> {
  const { name, state } = session;
  if (state === 'ended') return { about: name };
  const question = useQuestion(name);
  const link =
    question === null
      ? { to: livePath(name), ...(isWaiting(session) ? { label: 'Take over', isMain: true } : { label: 'Watch live' }) }
      : { to: waitingPath(question), label: 'Answer', isMain: true };
  return {
    about: name,
    link,
    actions: [{ label: 'End', sends: { name, do: 'end' }, asks: 'end' }],
  };
}

/** A model's question that waits for the user's approval in the session. */
function useQuestion(name: string): WaitingRequest | null {
  return useVisitor().waiting?.find(({ session, question }) => session === name && question !== null) ?? null;
}

function isWaiting({ asked, isDriven }: Pick<ListedSession, 'asked' | 'isDriven'>): boolean {
  return asked !== null && !isDriven;
}

type SessionState = Pick<ListedSession, 'name' | 'state' | 'isDriven' | 'asked'>;

export function sessionItemState({ name, state, isDriven, asked }: SessionState): StateLabel {
  if (isDriven) return { text: 'a person is driving', looks: 'warn' };
  if (asked !== null || useQuestion(name) !== null) return { text: 'waiting for you', looks: 'warn' };
  return state === 'open' ? { text: state, looks: 'ok' } : { text: state };
}

export function HandoffRequest({ session: { asked } }: { session: Pick<ListedSession, 'asked'> }) {
  if (asked === null) return null;
  return (
    <p class="doubt">
      A model asks you: <q>{sanitizeText(asked)}</q>
    </p>
  );
}

/** A list item for a session in which a model waits. @param step the session's last picture */
export function waitingSessionItem(waiting: WaitingRequest, step: string | null): ListEntry {
  const { session, reason, question } = waiting;
  const to = waitingPath(waiting);
  const isQuestion = question !== null;
  return {
    about: session,
    picture: { step, to, alt: `Last picture of the session ${session}`, without: null },
    name: 'A model needs you',
    body: (
      <p>
        <q>{sanitizeText(reason)}</q>
      </p>
    ),
    facts: [
      <>
        Session <a href={sessionPath(session)}>{session}</a>
      </>,
      isQuestion ? 'Nothing happens until you answer.' : 'The model continues when you give the browser back.',
    ],
    link: { to, label: isQuestion ? 'Answer' : 'Take over', isMain: true },
  };
}

/** Last use of the session, paid time, and time until its browser pauses. */
export function describeSessionUse({ usedAt, paidMs, restsAt }: ListedSession): Child[] {
  const minutes = Math.ceil(paidMs / MINUTE_MS);
  return [
    <>
      Used <Timestamp at={usedAt} precise />
    </>,
    minutes === 0 ? null : `${minutes} browser ${minutes === 1 ? 'minute' : 'minutes'}`,
    restsAt === null ? null : (
      <>
        Pauses <Timestamp at={restsAt} precise /> if unused
      </>
    ),
  ];
}
