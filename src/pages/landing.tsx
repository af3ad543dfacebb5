import { PATHS } from '#core/paths.ts';
import { isLoopbackHost } from '#core/config.ts';
import { Layout } from './layout.tsx';

/** `/`: what this is, the connector URL, and how to connect. */
export function Landing({ mcpUrl }: { mcpUrl: string }) {
  const isLocal = isLoopbackHost(new URL(mcpUrl).hostname);
  return (
    <Layout title="Periscope">
      <h1>Periscope</h1>
      <p class="lead">
        The web for language models, over MCP: your model searches, reads, cites, drives a browser and sees pages – and
        you can look at everything it did.
      </p>
      <p>
        <a href={PATHS.console}>Open the console</a> or <a href="#connect">connect a client</a>.
      </p>
      <Abilities />
      <h2 id="connect">Connector URL</h2>
      <pre>
        <code>{mcpUrl}</code>
      </pre>
      <p>Your client opens a page here on which you sign in and decide what the client may do.</p>
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

/** What models do here, and what people see of it. */
function Abilities() {
  return (
    <>
      <dl class="abilities">
        <dt>Search</dt>
        <dd>The web, with filters, or the pages that were read here before.</dd>
        <dt>Read</dt>
        <dd>Pages, PDF and office files as numbered lines: what an answer rests on stays as it was read.</dd>
        <dt>Cite</dt>
        <dd>Word for word, with a link that opens the lines in their page, also when the page has changed since.</dd>
        <dt>Drive</dt>
        <dd>A real browser in sessions that keep their sign-ins: click, type, fill in, upload, download.</dd>
        <dt>See</dt>
        <dd>Pictures of pages, with the elements that can be used marked on them.</dd>
      </dl>
      <h2>What you see of it</h2>
      <Picture
        name="citation"
        alt="A citation: a page with its address, date and hash, and the cited line marked among its lines."
        text="Each citation leads to the page as it was read, with the cited lines marked. One click asks whether the live page still says so."
      />
      <Picture
        name="live"
        alt="A live view: a web page as the model’s browser shows it, with a button to take over."
        text="Watch the browser of a model live, on a phone, too. Take over to sign in or to enter a code, then give it back: the model sees where you went, not what you typed."
      />
      <p>
        The <a href={PATHS.console}>console</a> shows what your models did, each step of a browser session with a
        picture, your files, citations, connected clients and budgets.
      </p>
    </>
  );
}

function Picture({ name, alt, text }: { name: 'citation' | 'live'; alt: string; text: string }) {
  const source = (scheme: 'light' | 'dark') => `${PATHS.pictures}/${name}-${scheme}.webp`;
  return (
    <figure class="picture">
      <picture>
        <source srcset={source('dark')} media="(prefers-color-scheme: dark)" />
        <img src={source('light')} alt={alt} width="880" height="560" loading="lazy" />
      </picture>
      <figcaption>{text}</figcaption>
    </figure>
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
