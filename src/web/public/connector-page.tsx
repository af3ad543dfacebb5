import { PATHS } from '#core/paths.ts';
import { Copyable } from '#web/copyable.tsx';
import { clientNamesFor } from './clients.tsx';
import { PublicPage } from './public-page.tsx';

/** `/mcp` in a browser: people paste the connector URL there. */
export function ConnectorPage({ mcpUrl }: { mcpUrl: string }) {
  return (
    <PublicPage title="Connector URL – Periscope">
      <h1>This address is for MCP clients</h1>
      <p class="lead">Give it to {clientNamesFor(mcpUrl)} or another client, not to a browser.</p>
      <Copyable text={mcpUrl} what="the connector URL" />
      <p>
        <a href={`${PATHS.landing}#connect`}>How to connect your client</a> ·{' '}
        <a href={PATHS.console}>Open the console</a>
      </p>
    </PublicPage>
  );
}
