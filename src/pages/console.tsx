import { PATHS } from '#core/paths.ts';
import { Layout } from './layout.tsx';
import { SignedIn } from './signed-in.tsx';

type Props = {
  mcpUrl: string;
  isOwner: boolean;
  /** The token that binds the form to this browser. */
  form: string;
};

/** `/console`: what a signed-in person can look after here. */
export function Console({ mcpUrl, isOwner, form }: Props) {
  return (
    <Layout title="Console – Periscope">
      <h1>Console</h1>
      <p class="lead">
        Connector URL: <code>{mcpUrl}</code>
      </p>
      <ul class="cards">
        <Entry
          to={PATHS.citations}
          label="Citations"
          text="What your models have quoted word for word, to open, share and delete."
        />
        <Entry
          to={PATHS.accessTokens}
          label="Access tokens"
          text="For agents and scripts that cannot open a sign-in page."
        />
        <Entry
          to={PATHS.files}
          label="Files"
          text="What browser sessions downloaded, and what you give models to work with."
        />
        {isOwner ? (
          <Entry to={PATHS.health} label="Health check" text="What works, what does not, and what to do about it." />
        ) : null}
        <Entry to="/" label="How to connect" text="Set-up for Claude, ChatGPT, editors and other clients." />
      </ul>
      <SignedIn isOwner={isOwner} form={form} />
    </Layout>
  );
}

function Entry({ to, label, text }: { to: string; label: string; text: string }) {
  return (
    <li>
      <div>
        <a href={to}>{label}</a>
        <p class="facts">{text}</p>
      </div>
    </li>
  );
}
