import type { Child } from 'hono/jsx';
import { PATHS } from '#core/paths.ts';
import { REPOSITORY, VERSION } from '#generated/about.ts';
import { CopyScript } from '#web/copyable.tsx';
import { BrandLink, Layout } from '#web/layout.tsx';
import type { LinkPreview } from '#web/layout.tsx';

type Props = {
  title: string;
  children: Child;
  preview?: LinkPreview | undefined;
  isHidden?: boolean;
  width?: 'broad';
  /** True to omit the link to the console, which is useless to a reader of a shared quote. */
  isForStrangers?: boolean;
  links?: readonly { to: string; label: string }[];
};

/** Frame of the pages outside the console. */
export function PublicPage(props: Props) {
  const { title, children, preview, isHidden = false, width, links = [], isForStrangers = false } = props;
  const to = isForStrangers ? links : [{ to: PATHS.console, label: 'Console' }, ...links];
  return (
    <Layout
      title={title}
      before={<Header links={to} />}
      after={<Footer />}
      preview={preview}
      isHidden={isHidden}
      width={width}
    >
      {children}
      <CopyScript />
    </Layout>
  );
}

function Header({ links }: Required<Pick<Props, 'links'>>) {
  return (
    <header class="bare">
      <ul>
        <li>
          <BrandLink />
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
