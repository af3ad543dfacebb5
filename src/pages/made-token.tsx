import { PATHS } from '#core/paths.ts';
import { Layout } from './layout.tsx';
import { Moment } from './moment.tsx';

type Props = {
  name: string;
  scopes: readonly string[];
  token: string;
  /** ms since 1970 */
  expiresAt: number;
  mcpUrl: string;
};

/** A token that was made just now, for the only time. */
export function MadeToken({ name, scopes, token, expiresAt, mcpUrl }: Props) {
  return (
    <Layout title="Your new token – Periscope">
      <h1>
        Your token for <bdi>{name}</bdi>
      </h1>
      <p class="warning">Copy it now: it is not stored here, and this page cannot show it again.</p>
      <pre>
        <code class="once">{token}</code>
      </pre>
      <dl>
        <dt>It may</dt>
        <dd>
          {scopes.map((scope) => (
            <>
              <code>{scope}</code>{' '}
            </>
          ))}
        </dd>
        <dt>It expires</dt>
        <dd>
          <Moment at={expiresAt} />
        </dd>
      </dl>
      <h2>How to use it</h2>
      <p>As a header of every request:</p>
      <pre>
        <code>Authorization: Bearer {token}</code>
      </pre>
      <p>In Claude Code:</p>
      <pre>
        <code>
          claude mcp add --transport http periscope {mcpUrl} --header "Authorization: Bearer {token}"
        </code>
      </pre>
      <p>
        <a href={PATHS.accessTokens}>All tokens</a>
      </p>
    </Layout>
  );
}
