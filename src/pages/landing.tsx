import { PATHS } from '#core/paths.ts';
import { isLoopbackHost } from '#core/config.ts';
import { Layout } from './layout.tsx';

/** `/`: what this is, the connector URL, and how to connect. */
export function Landing({ mcpUrl }: { mcpUrl: string }) {
  const isLocal = isLoopbackHost(new URL(mcpUrl).hostname);
  return (
    <Layout title="Periscope">
      <h1>Periscope</h1>
      <p class="lead">A web reader for language models: search, open, scroll, find and cite, over MCP.</p>
      <h2>Connector URL</h2>
      <pre>
        <code>{mcpUrl}</code>
      </pre>
      <p>
        Your client opens a page here on which you sign in and decide what the client may do. Everything you have here
        is in the <a href={PATHS.console}>console</a>.
      </p>
      {isLocal ? (
        <p class="warning">
          This address works on this machine only. Claude and ChatGPT call from outside: they need a deployment, or a
          tunnel with <code>PUBLIC_URL</code> set to its address.
        </p>
      ) : null}
      <Hosts />
      <Programs mcpUrl={mcpUrl} />
      <h2 id="settings">Settings in the URL</h2>
      <p>
        <code>?toolsets=reader</code> offers only the reader tools. <code>?toolsets=chatgpt</code> offers exactly{' '}
        <code>search</code> and <code>fetch</code>, as ChatGPT requires of a knowledge source.{' '}
        <code>?structured=off</code> is for a client that shows the model every page twice.
      </p>
    </Layout>
  );
}

/** Hosts in the cloud: they have to reach this server from outside. */
function Hosts() {
  return (
    <>
      <h2>Claude</h2>
      <ol>
        <li>
          Settings → Connectors → <strong>Add custom connector</strong>.
        </li>
        <li>Paste the connector URL and leave the advanced settings empty.</li>
        <li>
          <strong>Connect</strong>, sign in, allow.
        </li>
      </ol>
      <h2>ChatGPT</h2>
      <ol>
        <li>Turn on developer mode in the settings for apps and connectors.</li>
        <li>
          <strong>Create</strong> a connector, paste the connector URL, and choose OAuth.
        </li>
        <li>
          Sign in and allow. For deep research, use the URL with <code>?toolsets=chatgpt</code>.
        </li>
      </ol>
    </>
  );
}

function Programs({ mcpUrl }: { mcpUrl: string }) {
  return (
    <>
      <h2>Claude Code</h2>
      <pre>
        <code>{`claude mcp add --transport http periscope ${mcpUrl}`}</code>
      </pre>
      <p>
        Then <code>/mcp</code> in a session, to sign in.
      </p>
      <h2>VS Code</h2>
      <pre>
        <code>{`code --add-mcp '${JSON.stringify({ name: 'periscope', type: 'http', url: mcpUrl })}'`}</code>
      </pre>
      <h2>Cursor</h2>
      <p>
        In <code>~/.cursor/mcp.json</code>:
      </p>
      <pre>
        <code>{JSON.stringify({ mcpServers: { periscope: { url: mcpUrl } } }, null, 2)}</code>
      </pre>
      <h2>Any other client</h2>
      <p>
        A client that supports Streamable HTTP and OAuth needs only the connector URL. One that cannot sign in sends an{' '}
        <a href={PATHS.accessTokens}>access token</a>, or on a laptop the one that <code>npm start</code> prints:
      </p>
      <pre>
        <code>
          {JSON.stringify(
            { mcpServers: { periscope: { type: 'http', url: mcpUrl, headers: { Authorization: 'Bearer TOKEN' } } } },
            null,
            2,
          )}
        </code>
      </pre>
    </>
  );
}
