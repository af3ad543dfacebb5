import { Layout } from './layout.tsx';

/** `/`: what this is, the connector URL, and how to connect. */
export function Landing({ mcpUrl }: { mcpUrl: string }) {
  return (
    <Layout title="Periscope">
      <h1>Periscope</h1>
      <p class="lead">A reader of the web for language models: search, open, scroll, find and cite, over MCP.</p>
      <h2>Connector URL</h2>
      <pre>
        <code>{mcpUrl}</code>
      </pre>
      <h2>Claude Code</h2>
      <pre>
        <code>{`claude mcp add --transport http periscope ${mcpUrl} --header "Authorization: Bearer YOUR_TOKEN"`}</code>
      </pre>
      <h2>Any other client</h2>
      <pre>
        <code>
          {JSON.stringify(
            { mcpServers: { periscope: { url: mcpUrl, headers: { Authorization: 'Bearer YOUR_TOKEN' } } } },
            null,
            2,
          )}
        </code>
      </pre>
      <p>
        On a laptop, <code>npm start</code> prints the token. Add <code>?toolsets=reader</code> to the URL for the
        reader alone, and <code>?structured=off</code> for a client that shows structured results twice.
      </p>
    </Layout>
  );
}
