import { PATHS, livePath, sessionPath } from '#core/paths.ts';
import type { KeptStep } from '#storage/person/steps.ts';
import { toPlain } from '#core/text/plain.ts';
import { PageAddress } from '#web/public/citation.tsx';
import { ConsolePage, ActionForm, Timestamp, FormProblem, StepPicture, NextLink } from '#web/console/console-page.tsx';
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
    <ConsolePage visitor={visitor} title={`Session ${name}`} at={PATHS.sessions}>
      <p>
        <State session={session} />
      </p>
      <HandoffRequest session={session} />
      <p class="facts">
        Last used <Timestamp at={usedAt} precise />
        <Time session={session} />
      </p>
      {sees === null ? null : <p class="facts">Pages see {sees}.</p>}
      <FormProblem text={problem} />
      {state === 'ended' ? null : <Doing name={name} form={visitor.form} />}
      <h2>Steps</h2>
      <p>What your models did on its pages, with a picture of the page after each step. Kept for a week.</p>
      {steps.length === 0 ? (
        <p>None yet. Each click, scroll, filled field and visited address appears here as a step.</p>
      ) : null}
      <ol class="cards" reversed>
        {steps.map((step) => (
          <Row step={step} />
        ))}
      </ol>
      <NextLink to={next} label="Older steps" />
      {steps.length === 0 ? null : <Export name={name} />}
      <Keeping name={name} pictures={pictures} hasSteps={steps.length > 0} form={visitor.form} />
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

function Row({ step }: { step: KeptStep }) {
  const { id, seq, at, what, url, title, error, without, done = [] } = step;
  const name = stepWords(what, done);
  return (
    <li class="pictured" id={`step-${seq}`}>
      <StepPicture
        picture={without === null ? id : null}
        to={null}
        alt={`The page after this step: ${name}`}
        without={without}
      />
      <div>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        {error === null ? null : <span class="doubt"> failed: {error}</span>}
        <p class="facts">
          <Timestamp at={at} precise />
        </p>
        {title === null ? null : (
          <p>
            <bdi>{title}</bdi>
          </p>
        )}
        {url === null ? null : (
          <p class="facts">
            <PageAddress url={url} />
          </p>
        )}
      </div>
    </li>
  );
}

function Keeping(props: { name: string; pictures: Props['pictures']; hasSteps: boolean; form: string }) {
  const { name, pictures, hasSteps, form } = props;
  const to = sessionPath(name);
  const { isOffered, isWanted } = pictures;
  return (
    <>
      <h2>What is kept</h2>
      <p>
        {isOffered
          ? isWanted
            ? 'Only you can see the pictures. None is taken while you drive, of pages in which you have typed, or of pages that ask for a password, a code or a captcha.'
            : 'You have turned pictures off. Steps are kept without them.'
          : 'The owner of this server has turned pictures off (STEP_PICTURES).'}
      </p>
      <div class="actions">
        {hasSteps ? (
          <ActionForm to={to} form={form} fields={{ do: 'forget' }} label="Delete these steps" confirm="steps" />
        ) : null}
        {isOffered ? (
          <ActionForm
            to={to}
            form={form}
            fields={{ do: isWanted ? 'off' : 'on' }}
            label={isWanted ? 'Delete all pictures and turn them off' : 'Turn pictures on'}
            confirm={isWanted ? 'pictures' : undefined}
          />
        ) : null}
      </div>
    </>
  );
}

export function Doing({ name, form }: { name: string; form: string }) {
  return (
    <div class="actions">
      <a href={livePath(name)}>
        Live view<span class="unseen"> of {name}</span>
      </a>
      <ActionForm to={PATHS.sessions} form={form} fields={{ name, do: 'end' }} label="End" about={name} confirm="end" />
    </div>
  );
}

export function State({ session }: { session: Pick<ListedSession, 'state' | 'isDriven' | 'asked'> }) {
  const { state, isDriven, asked } = session;
  return <span class="state">{isDriven ? 'a person is driving' : asked === null ? state : 'waiting for you'}</span>;
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
