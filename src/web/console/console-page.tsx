import { useContext } from 'hono/jsx';
import type { Child } from 'hono/jsx';
import { FOCUS_ON_LOAD, Layout, SignedInAs } from '#web/layout.tsx';
import type { Waiting } from '#web/answers.ts';
import { ClockContext, clockOf, nearTime, wholeTime } from '#web/times.ts';
import { PATHS, livePath } from '#core/paths.ts';
import { DoneMessage } from '#web/parts/confirm.tsx';
import type { Done, Question } from '#web/parts/confirm.tsx';
import type { NoPictureReason } from '#core/activity.ts';

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
  children: Child;
};

/** The frame of every console page: navigation, title, sign-out. */
export function ConsolePage({ visitor, title, at, children }: Props) {
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
        {children}
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

/** What is wrong with a form; `field` names the field to correct, if it is one. */
export type Problem = { text: string; field?: string | undefined };

/** A problem of a form as a whole. Of a field, see {@link FieldProblem}. */
export function FormProblem({ text }: { text: string | null }) {
  return text === null ? null : (
    <p class="problem" role="alert" {...FOCUS_ON_LOAD}>
      {text}
    </p>
  );
}

/** What is wrong with one field, below it. */
export function FieldProblem({ of, field }: { of: Problem | null; field: string }) {
  return of?.field !== field ? null : (
    <p id={`${field}-problem`} class="problem" role="alert">
      {of.text}
    </p>
  );
}

/** Attributes of a field: one to correct has the focus and is described by its problem. @param described ids of what else describes it */
export function ofField(problem: Problem | null, field: string, described?: string) {
  if (problem?.field !== field) return { 'aria-describedby': described };
  const ids = `${field}-problem${described === undefined ? '' : ` ${described}`}`;
  return { 'aria-invalid': 'true', 'aria-describedby': ids, autofocus: true } as const;
}

/** A form with one button. @param fields hidden fields to send */
export function ActionForm(props: {
  to: string;
  form: string;
  fields: Readonly<Record<string, string>>;
  label: string;
  /** Tells apart several forms with the same label, for screen readers. */
  about?: string;
  /** What a page asks first, where it cannot be undone. */
  confirm?: Question | undefined;
}) {
  const { to, form, fields, label, about, confirm } = props;
  return (
    <form method="post" action={to}>
      <input type="hidden" name="form" value={form} />
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {confirm === undefined ? null : (
        <>
          <input type="hidden" name="confirm" value={confirm} />
          <input type="hidden" name="about" value={about ?? ''} />
        </>
      )}
      <button type="submit" aria-label={about === undefined ? undefined : `${label} ${about}`}>
        {label}
      </button>
    </form>
  );
}

const DAY_CHARS = 'YYYY-MM-DD'.length;
const MINUTE_CHARS = 'YYYY-MM-DDThh:mm'.length;

/**
 * A time: how long ago, or the day, with the whole date in its title. In UTC where the reader is not known.
 * @param at ms since 1970 @param precise of a day, the minute matters, too
 */
export function Timestamp({ at, precise = false }: { at: number; precise?: boolean }) {
  const clock = useContext(ClockContext);
  const text = new Date(at).toISOString();
  if (clock !== null) {
    return (
      <time datetime={text} title={wholeTime(at, clock)}>
        {precise ? nearTime(at, clock) : clock.day.format(at)}
      </time>
    );
  }
  const shown = precise ? `${text.slice(0, MINUTE_CHARS).replace('T', ' ')} UTC` : text.slice(0, DAY_CHARS);
  return <time datetime={text}>{shown}</time>;
}

export function LastUsed({ at, never = 'never used' }: { at: number | null; never?: string }) {
  if (at === null) return <>{never}</>;
  return (
    <>
      last used <Timestamp at={at} precise />
    </>
  );
}

/** To what follows in a list; nothing at its end. */
export function NextLink({ to, label }: { to: string | null; label: string }) {
  if (to === null) return null;
  return (
    <p>
      <a href={to}>{label}</a>
    </p>
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

type ShotProps = {
  /** The step whose picture it is; `null` for none. */
  picture: string | null;
  to: string | null;
  alt: string;
  without: NoPictureReason | null;
};

/** The thumbnail of a step, or the reason why there is none. */
export function StepPicture({ picture, to, alt, without }: ShotProps) {
  if (picture === null) return <span class="shot none">{WITHOUT[without ?? 'dropped']}</span>;
  const source = `${PATHS.stepPicture}?id=${encodeURIComponent(picture)}`;
  return (
    <a class="shot" href={to ?? source}>
      <img src={source} alt={alt} width="640" height="400" loading="lazy" />
    </a>
  );
}

const WITHOUT: Record<NoPictureReason, string> = {
  off: 'No picture: they are switched off',
  hidden: 'No picture: the page asked for something that is yours alone',
  busy: 'No picture: the next call was waiting',
  failed: 'No picture: the page gave none in time',
  dropped: 'No picture',
};
