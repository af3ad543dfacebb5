import type { Child } from 'hono/jsx';
import { Layout, SignedInAs } from '#web/layout.tsx';
import { PATHS } from '#core/paths.ts';
import type { StepWithout } from '#core/activity.ts';

/** What every page of the console knows of who looks at it. */
export type Visitor = {
  isOwner: boolean;
  /** The token that binds the forms to this browser. */
  form: string;
};

type Props = {
  visitor: Visitor;
  title: string;
  /** The place in the navigation that the page belongs to. */
  at: string;
  children: Child;
};

/** The frame of the console: where one is, where else one can go, and who is signed in. */
export function ConsolePage({ visitor, title, at, children }: Props) {
  return (
    <Layout title={`${title} – Periscope`} width="wide" before={<Navigation at={at} isOwner={visitor.isOwner} />}>
      <h1>{title}</h1>
      {children}
      <SignedInAs {...visitor} />
    </Layout>
  );
}

function Navigation({ at, isOwner }: { at: string; isOwner: boolean }) {
  const places = CONSOLE_LINKS.filter(({ isOwners = false }) => isOwner || !isOwners);
  return (
    <>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <nav class="console" aria-label="Console">
        <ul>
          {places.map(({ path, label }) => (
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

/** What became of a form that was not taken. */
export function Problem({ text }: { text: string | null }) {
  return text === null ? null : (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}

/** A form of one button. @param fields what it sends beside */
export function ActionForm(props: {
  to: string;
  form: string;
  fields: Readonly<Record<string, string>>;
  label: string;
  /** What it is called where several say the same. */
  about?: string;
}) {
  const { to, form, fields, label, about } = props;
  return (
    <form method="post" action={to}>
      <input type="hidden" name="form" value={form} />
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <button type="submit" aria-label={about === undefined ? undefined : `${label} ${about}`}>
        {label}
      </button>
    </form>
  );
}

const DAY_CHARS = 'YYYY-MM-DD'.length;
const MINUTE_CHARS = 'YYYY-MM-DDThh:mm'.length;

/** A day, or a minute of one, in UTC: the server does not know where its reader is. @param at ms since 1970 */
export function Moment({ at, precise = false }: { at: number; precise?: boolean }) {
  const text = new Date(at).toISOString();
  const shown = precise ? `${text.slice(0, MINUTE_CHARS).replace('T', ' ')} UTC` : text.slice(0, DAY_CHARS);
  return <time datetime={text}>{shown}</time>;
}

/** A page of the console, as its navigation and its overview name it. */
type ConsoleLink = {
  path: string;
  label: string;
  /** What a person does there. */
  text: string;
  isOwners?: boolean;
};

/** The pages of the console, in the order of its navigation. The first one lists the others. */
export const CONSOLE_LINKS: readonly ConsoleLink[] = [
  { path: PATHS.console, label: 'Overview', text: 'What there is.' },
  {
    path: PATHS.activity,
    label: 'Activity',
    text: 'What your models searched, read, cited and drove, each line leading to what they saw.',
  },
  {
    path: PATHS.sessions,
    label: 'Sessions',
    text: 'The browsers your models use: watch them live, take over, see each step, end them.',
  },
  {
    path: PATHS.files,
    label: 'Files',
    text: 'What browser sessions downloaded, and what you give models to work with.',
  },
  {
    path: PATHS.citations,
    label: 'Citations',
    text: 'What your models have quoted word for word, to open, share and delete.',
  },
  {
    path: PATHS.secrets,
    label: 'Secrets',
    text: 'Passwords and codes that your models can type, and never see.',
  },
  {
    path: PATHS.clients,
    label: 'Clients & tokens',
    text: 'Who may act for you: what each one may do, when it last did, and how to end it.',
  },
  { path: PATHS.usage, label: 'Usage', text: 'Calls, errors and times, and what is left of your budgets.' },
  { path: PATHS.store, label: 'Store', text: 'The pages that are stored here: search, open and delete them.' },
  {
    path: PATHS.shared,
    label: 'Public links',
    text: 'Quotes that people of this server share with everybody: see them all, and stop any.',
    isOwners: true,
  },
  {
    path: PATHS.health,
    label: 'Health check',
    text: 'What works, what does not, and what to do about it.',
    isOwners: true,
  },
];

type ShotProps = {
  /** The step whose picture it is; `null` for none. */
  picture: string | null;
  to: string | null;
  alt: string;
  without: StepWithout | null;
};

/** The small picture of a step, or why there is none. */
export function Shot({ picture, to, alt, without }: ShotProps) {
  if (picture === null) return <span class="shot none">{WITHOUT[without ?? 'dropped']}</span>;
  const source = `${PATHS.stepPicture}?id=${encodeURIComponent(picture)}`;
  return (
    <a class="shot" href={to ?? source}>
      <img src={source} alt={alt} width="640" height="400" loading="lazy" />
    </a>
  );
}

const WITHOUT: Record<StepWithout, string> = {
  off: 'No picture: they are switched off',
  hidden: 'No picture: the page asked for something that is yours alone',
  busy: 'No picture: the next call was waiting',
  failed: 'No picture: the page gave none in time',
  dropped: 'No picture',
};
