import type { Child } from 'hono/jsx';
import { PATHS } from '#core/paths.ts';
import { REPOSITORY, VERSION } from '#generated/about.ts';
import { CopyScript } from '#web/copyable.tsx';
import { Layout } from '#web/layout.tsx';
import type { Preview } from '#web/layout.tsx';

type Props = {
  title: string;
  children: Child;
  preview?: Preview | undefined;
  isHidden?: boolean;
  /** For somebody who is signed in: what the header leads to beside the console. */
  links?: readonly { to: string; label: string }[];
};

/** The frame of the pages that strangers, or people outside of the console, may see. */
export function PublicPage({ title, children, preview, isHidden = false, links = [] }: Props) {
  return (
    <Layout title={title} before={<Header links={links} />} after={<Footer />} preview={preview} isHidden={isHidden}>
      {children}
      <CopyScript />
    </Layout>
  );
}

function Header({ links }: Required<Pick<Props, 'links'>>) {
  return (
    <header class="console">
      <ul>
        <li>
          <a href={PATHS.landing} class="brand">
            <img src={PATHS.mark} alt="" width="24" height="24" /> Periscope
          </a>
        </li>
        <li>
          <a href={PATHS.console}>Console</a>
        </li>
        {links.map(({ to, label }) => (
          <li>
            <a href={to}>{label}</a>
          </li>
        ))}
      </ul>
    </header>
  );
}

function Footer() {
  return (
    <footer>
      <ul>
        {REPOSITORY === null ? null : (
          <>
            <li>
              <a href={`${REPOSITORY}/tree/main/docs`}>Docs</a>
            </li>
            <li>
              <a href={REPOSITORY}>Source</a>
            </li>
          </>
        )}
        <li>
          <a href={PATHS.privacy}>Privacy</a>
        </li>
        <li>Version {VERSION}</li>
      </ul>
    </footer>
  );
}
