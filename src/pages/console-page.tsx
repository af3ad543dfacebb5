import type { Child } from 'hono/jsx';
import { CONSOLE_PLACES } from './console-places.ts';
import { Layout } from './layout.tsx';
import { SignedIn } from './signed-in.tsx';

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
      <SignedIn {...visitor} />
    </Layout>
  );
}

function Navigation({ at, isOwner }: { at: string; isOwner: boolean }) {
  const places = CONSOLE_PLACES.filter(({ isOwners = false }) => isOwner || !isOwners);
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
export function Deed(props: {
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
