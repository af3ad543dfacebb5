import type { Child } from 'hono/jsx';
import { isLoopbackHost } from '#core/config/config.ts';
import { PATHS, SERVER_NAME } from '#core/paths.ts';
import { CopyableText } from '#web/copyable.tsx';

type Client = {
  id: string;
  name: string;
  /** True for a client in the cloud, which cannot reach a server on the user's own machine. */
  isRemote?: boolean;
  steps: (mcpUrl: string) => Child;
};

/** Instructions to connect each client that can reach this server. Radio buttons show one client at a time. */
export function ClientSetupList({ mcpUrl }: { mcpUrl: string }) {
  const isLocal = isOnThisMachine(mcpUrl);
  const reaching = clientsThatReach(mcpUrl);
  return (
    <>
      <fieldset class="clients">
        <legend>Connect your client</legend>
        {reaching.map(({ id, name, steps }, n) => (
          <>
            <input type="radio" name="client" id={`client-${id}`} class="unseen" checked={n === 0} />
            <label for={`client-${id}`}>{name}</label>
            <div class="client">{steps(mcpUrl)}</div>
          </>
        ))}
      </fieldset>
      <p class="facts">
        Your client opens a page on this server. There you sign in and choose what the client may do.
        {isLocal
          ? ' This address works on this machine only. Claude and ChatGPT call from the cloud: for them, deploy the server, or open a tunnel and set PUBLIC_URL to its address.'
          : null}
      </p>
    </>
  );
}

/** Names of a few clients that can reach this server, such as `Claude, ChatGPT, Claude Code`. */
export function clientNamesFor(mcpUrl: string): string {
  const names = clientsThatReach(mcpUrl).map(({ name }) => name);
  return names.slice(0, NAMES_MAX).join(', ');
}

const NAMES_MAX = 3;

function clientsThatReach(mcpUrl: string): readonly Client[] {
  return CLIENTS.filter(({ isRemote = false }) => !(isRemote && isOnThisMachine(mcpUrl)));
}

function isOnThisMachine(mcpUrl: string): boolean {
  return isLoopbackHost(new URL(mcpUrl).hostname);
}

const CLIENTS: readonly Client[] = [
  { id: 'claude', name: 'Claude', isRemote: true, steps: claude },
  { id: 'chatgpt', name: 'ChatGPT', isRemote: true, steps: chatGpt },
  { id: 'claude-code', name: 'Claude Code', steps: claudeCode },
  { id: 'cursor', name: 'Cursor', steps: cursor },
  { id: 'vs-code', name: 'VS Code', steps: vsCode },
  { id: 'other', name: 'Other', steps: other },
];

function claude() {
  return (
    <ol>
      <li>
        Open Settings → Connectors → <strong>Add custom connector</strong>.
      </li>
      <li>Paste the connector URL. Leave the advanced settings empty.</li>
      <li>
        Choose <strong>Connect</strong>, sign in, and allow.
      </li>
    </ol>
  );
}

function chatGpt() {
  return (
    <ol>
      <li>Turn on developer mode in the settings for apps and connectors.</li>
      <li>
        <strong>Create</strong> a connector, paste the connector URL, and choose OAuth.
      </li>
      <li>
        Sign in and allow. For deep research, add <code>?toolsets=chatgpt</code> to the URL.
      </li>
    </ol>
  );
}

function claudeCode(mcpUrl: string) {
  return (
    <>
      <p>Run this in a terminal:</p>
      <CopyableText text={`claude mcp add --transport http ${SERVER_NAME} ${mcpUrl}`} what="the command" />
      <p>
        Then type <code>/mcp</code> in a session to sign in.
      </p>
    </>
  );
}

function cursor(mcpUrl: string) {
  const link = `cursor://anysphere.cursor-deeplink/mcp/install?${new URLSearchParams({
    name: SERVER_NAME,
    config: btoa(JSON.stringify({ url: mcpUrl })),
  }).toString()}`;
  return (
    <>
      <p>
        <a class="button" href={link}>
          Add to Cursor
        </a>
      </p>
      <p>
        Or add this to <code>~/.cursor/mcp.json</code>:
      </p>
      <CopyableText
        text={JSON.stringify({ mcpServers: { [SERVER_NAME]: { url: mcpUrl } } }, null, 2)}
        what="the configuration"
      />
    </>
  );
}

function vsCode(mcpUrl: string) {
  const server = JSON.stringify({ name: SERVER_NAME, type: 'http', url: mcpUrl });
  return (
    <>
      <p>
        <a class="button" href={`vscode:mcp/install?${encodeURIComponent(server)}`}>
          Add to VS Code
        </a>
      </p>
      <p>Or run this in a terminal:</p>
      <CopyableText text={`code --add-mcp '${server}'`} what="the command" />
    </>
  );
}

function other(mcpUrl: string) {
  const withToken = { type: 'http', url: mcpUrl, headers: { Authorization: 'Bearer TOKEN' } };
  return (
    <>
      <p>
        A client that supports Streamable HTTP and OAuth needs only the connector URL. One that cannot open a sign-in
        page sends an <a href={PATHS.accessTokens}>access token</a>:
      </p>
      <CopyableText
        text={JSON.stringify({ mcpServers: { [SERVER_NAME]: withToken } }, null, 2)}
        what="the configuration"
      />
    </>
  );
}
