import { PATHS } from '#core/paths.ts';
import { REPOSITORY } from '#generated/about.ts';
import { Copyable } from '#web/copyable.tsx';
import { Clients } from './clients.tsx';
import { PublicPage } from './public-page.tsx';

type Props = {
  /** The connector URL to show. */
  mcpUrl: string;
  /** What a search covers; `null` when that is no web, but what was opened here. */
  webSearch: string | null;
};

const DESCRIPTION = 'Let your language model search, read, cite and drive the web, and check everything it did.';

/** `/`: the landing page. */
export function Landing({ mcpUrl, webSearch }: Props) {
  const { origin } = new URL(mcpUrl);
  return (
    <PublicPage title="Periscope" preview={{ description: DESCRIPTION, image: PATHS.previewPicture, origin }}>
      <h1>The web for your language model</h1>
      <p class="lead">
        Periscope is an MCP server. Your model searches, reads, cites and drives the web, and you can check everything
        it did. <a href={PATHS.playground}>Try it without a client</a>.
      </p>
      <h2 id="connect">Connector URL</h2>
      <Copyable text={mcpUrl} what="the connector URL" />
      <Clients mcpUrl={mcpUrl} />
      {webSearch === null ? <NoWebSearch /> : null}
      <Abilities webSearch={webSearch} />
      <h2>What it looks like</h2>
      <Tour />
      <h2 id="settings">Settings in the URL</h2>
      <p>
        <code>?toolsets=reader</code> offers only the reader tools. <code>?toolsets=chatgpt</code> offers only{' '}
        <code>search</code> and <code>fetch</code>, which ChatGPT requires of a knowledge source. With{' '}
        <code>?structured=off</code>, clients that show the model every page twice show it once.
      </p>
    </PublicPage>
  );
}

function NoWebSearch() {
  return (
    <p class="warning">
      Search is not web search yet: it finds only pages that were opened on this server. To search the web, the owner
      adds{' '}
      {REPOSITORY === null ? (
        'a search provider'
      ) : (
        <a href={`${REPOSITORY}/blob/main/docs/search.md`}>a search provider</a>
      )}
      : <code>SEARCH_PROVIDERS=keenable</code> (no key, with npm start only), <code>BRAVE_API_KEY</code> or{' '}
      <code>SEARXNG_URL</code>. Any address can be opened as it is.
    </p>
  );
}

function Abilities({ webSearch }: Pick<Props, 'webSearch'>) {
  return (
    <>
      <h2>What your model can do</h2>
      <dl class="abilities">
        <dt>Search</dt>
        <dd>
          {webSearch === null ? 'Pages opened here before' : webSearch.replace(/^t/, 'T')}; Wikipedia, Stack Overflow
          and GitHub by name.
        </dd>
        <dt>Read</dt>
        <dd>Web pages, PDF and office files as numbered lines. The source behind an answer never changes.</dd>
        <dt>Cite</dt>
        <dd>Word for word, with a link that opens the quoted lines, even if the page changes later.</dd>
        <dt>Drive</dt>
        <dd>A real browser that stays signed in: click, type, fill in forms, upload, download.</dd>
        <dt>See</dt>
        <dd>Screenshots, with the elements that can be used marked on them.</dd>
      </dl>
    </>
  );
}

/** Three pictures in turn, for ten seconds; one below the other for those who want no motion. */
function Tour() {
  return (
    <div class="tour">
      <ol>
        <li>
          <Picture
            name="read"
            alt="A page as the model reads it: its text as numbered lines, of which two are selected."
            text="Read: your model gets any page as numbered lines."
          />
        </li>
        <li>
          <Picture
            name="citation"
            alt="A citation: the page as it was read, in numbered lines, with the cited words marked."
            text="Cite: a link opens the page as the model read it, with the cited words marked. One click checks whether the live page still says so."
          />
        </li>
        <li>
          <Picture
            name="live"
            alt="A live view: a web page as the model’s browser shows it, with a button to take over."
            text="Take over: watch your model’s browser, sign in or enter a code, then give it back. The model sees where you went, not what you typed."
          />
        </li>
      </ol>
      <label>
        <input type="checkbox" autocomplete="off" /> Pause
      </label>
    </div>
  );
}

function Picture({ name, alt, text }: { name: 'read' | 'citation' | 'live'; alt: string; text: string }) {
  const source = (scheme: 'light' | 'dark') => `${PATHS.pictures}/${name}-${scheme}.webp`;
  return (
    <figure class="picture">
      <picture>
        <source srcset={source('dark')} media="(prefers-color-scheme: dark)" />
        <img src={source('light')} alt={alt} width="880" height="560" />
      </picture>
      <figcaption>{text}</figcaption>
    </figure>
  );
}
