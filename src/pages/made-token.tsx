import { PATHS } from '#core/paths.ts';
import { ConsolePage } from './console-page.tsx';
import type { Visitor } from './console-page.tsx';
import { Moment } from './moment.tsx';
import { ScopeNames } from './scope-names.tsx';

type Props = {
  name: string;
  scopes: readonly string[];
  token: string;
  /** ms since 1970 */
  expiresAt: number;
  mcpUrl: string;
  visitor: Visitor;
};

/** A token that was made just now, for the only time. */
export function MadeToken({ name, scopes, token, expiresAt, mcpUrl, visitor }: Props) {
  return (
    <ConsolePage visitor={visitor} title="Your new token" at={PATHS.clients}>
      <p class="lead">
        For <bdi>{name}</bdi>
      </p>
      <p class="warning">Copy it now: it is not stored here, and this page cannot show it again.</p>
      <pre>
        <code class="once">{token}</code>
      </pre>
      <dl>
        <dt>It may</dt>
        <dd>
          <ScopeNames scopes={scopes} />
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
    </ConsolePage>
  );
}
