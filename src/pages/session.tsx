import type { Step } from '#core/deeds.ts';
import { PATHS, sessionPath } from '#core/paths.ts';
import { Address } from './citation.tsx';
import { ConsolePage, Deed, Problem } from './console-page.tsx';
import type { Visitor } from './console-page.tsx';
import { Moment } from './moment.tsx';
import { Asked, Doing, State, Time } from './sessions.tsx';
import type { ListedSession } from './sessions.tsx';
import { Shot } from './shot.tsx';

type Props = {
  visitor: Visitor;
  session: ListedSession;
  /** Newest first. */
  steps: readonly Step[];
  /** Where older ones are, if there are more. */
  next: string | null;
  /** Whether the deployment and the person want pictures. */
  pictures: { isOffered: boolean; isWanted: boolean };
  problem: string | null;
};

/** `/console/session?name=…`: what was done in one session, step by step. */
export function Session({ visitor, session, steps, next, pictures, problem }: Props) {
  const { name, state, usedAt } = session;
  return (
    <ConsolePage visitor={visitor} title={`Session ${name}`} at={PATHS.sessions}>
      <p>
        <State session={session} />
      </p>
      <Asked session={session} />
      <p class="facts">
        last used <Moment at={usedAt} precise />
        <Time session={session} />
      </p>
      <Problem text={problem} />
      {state === 'ended' ? null : <Doing name={name} form={visitor.form} />}
      <h2>Steps</h2>
      <p>What your models did to its pages, with a picture of how the page was after each. Kept for a week.</p>
      {steps.length === 0 ? (
        <p>There is none yet: clicking, typing, scrolling and going to an address are steps.</p>
      ) : null}
      <ol class="cards" reversed>
        {steps.map((step) => (
          <Row step={step} />
        ))}
      </ol>
      {next === null ? null : (
        <p>
          <a href={next}>Older steps</a>
        </p>
      )}
      <Keeping name={name} pictures={pictures} hasSteps={steps.length > 0} form={visitor.form} />
    </ConsolePage>
  );
}

function Row({ step }: { step: Step }) {
  const { id, at, what, url, title, error, without } = step;
  const name = WORDS[what] ?? what;
  return (
    <li class="pictured">
      <Shot
        picture={without === null ? id : null}
        to={null}
        alt={`The page after this step: ${name}`}
        without={without}
      />
      <div>
        <strong>{name}</strong>
        {error === null ? null : <span class="doubt"> failed: {error}</span>}
        <p class="facts">
          <Moment at={at} precise />
        </p>
        {title === null ? null : (
          <p>
            <bdi>{title}</bdi>
          </p>
        )}
        {url === null ? null : (
          <p class="facts">
            <Address url={url} />
          </p>
        )}
      </div>
    </li>
  );
}

const WORDS: Readonly<Record<string, string>> = {
  launch: 'Started or set up',
  navigate: 'Went to an address',
  evaluate: 'Ran a script',
  click: 'Clicked',
  fill: 'Filled fields',
  type: 'Typed',
  scroll: 'Scrolled',
  point: 'Pointed or dragged',
  put_file: 'Gave a file',
  close_tab: 'Closed a tab',
};

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
            ? 'Pictures are small and yours alone. There is none while you drive, of pages in which you have typed, or of pages that ask for a password, a code or a captcha.'
            : 'You have switched pictures off: steps are kept without.'
          : 'The owner of this server has switched pictures off (STEP_PICTURES).'}
      </p>
      <div class="actions">
        {hasSteps ? <Deed to={to} form={form} fields={{ do: 'forget' }} label="Delete these steps" /> : null}
        {isOffered ? (
          <Deed
            to={to}
            form={form}
            fields={{ do: isWanted ? 'off' : 'on' }}
            label={isWanted ? 'Delete all pictures and take no more' : 'Take pictures again'}
          />
        ) : null}
      </div>
    </>
  );
}
