import { PATHS } from '#core/paths.ts';
import { REPOSITORY } from '#generated/about.ts';
import { CopyableText } from '#web/copyable.tsx';
import { ClientSetupList } from './clients.tsx';
import { PublicPage } from './public-page.tsx';

type Props = {
  mcpUrl: string;
  /** Scope of web searches in words; `null` if searches cover only the stored pages. */
  webSearch: string | null;
};

const DESCRIPTION = 'Let your language model search, read, cite and drive the web, and check everything it did.';

export function LandingPage({ mcpUrl, webSearch }: Props) {
  const { origin } = new URL(mcpUrl);
  return (
    <PublicPage
      title="Periscope"
      preview={{ description: DESCRIPTION, image: PATHS.previewPicture, origin }}
      width="broad"
    >
      <section class="hero">
        <div>
          <h1>Let your model read the web, and show you the line.</h1>
          <p class="lead">
            Periscope is an MCP server. It gives your model a reader whose citations never change, and a browser that
            stays signed in. <a href={PATHS.playground}>Try it without a client</a>.
          </p>
          <h2 id="connect">Connector URL</h2>
          <CopyableText text={mcpUrl} what="the connector URL" />
          <ClientSetupList mcpUrl={mcpUrl} />
        </div>
        <Example />
      </section>
      <Abilities webSearch={webSearch} />
      <h2>What you see of it</h2>
      <div class="sights">
        <Picture
          name="citation"
          alt="A citation: the page as it was read, in numbered lines, with the cited words marked."
          text="A citation opens the page as the model read it, with the cited words marked. One click checks whether the live page still says so."
        />
        <Picture
          name="live"
          alt="A live view: a web page as the model’s browser shows it, with a button to take over."
          text="Watch your model’s browser, take over to sign in or enter a code, then give it back. The model sees where you went, not what you typed."
        />
      </div>
      <UrlOptions />
      {webSearch === null ? <NoWebSearch /> : null}
    </PublicPage>
  );
}

function Example() {
  return (
    <figure class="chat" aria-label="An example of an answer with a citation">
      <p>Can I get my money back after three weeks?</p>
      <p>
        Yes. “You can ask for your money back within thirty days, without a reason.”{' '}
        <span class="cite">Pricing, line 8</span>
      </p>
      <div class="excerpt">
        <p>shop.example/pricing · as it was read</p>
        <ol>
          <li>
            <i>6</i>
            <strong>Refunds</strong>
          </li>
          <li class="hit">
            <i>8</i>
            <span>
              <mark>You can ask for your money back within thirty days, without a reason.</mark>
            </span>
          </li>
          <li>
            <i>10</i>
            <span>Write to support, or use the button in your account.</span>
          </li>
        </ol>
      </div>
    </figure>
  );
}

function Abilities({ webSearch }: Pick<Props, 'webSearch'>) {
  return (
    <>
      <h2>What your model can do</h2>
      <dl class="features">
        <div>
          <dt>Search</dt>
          <dd>
            {webSearch === null ? 'Pages opened here before' : webSearch.replace(/^t/, 'T')}; Wikipedia, Stack Overflow
            and GitHub by name.
          </dd>
        </div>
        <div>
          <dt>Read and cite</dt>
          <dd>Web pages, PDF and office files as numbered lines. A quote links to its lines, word for word.</dd>
        </div>
        <div>
          <dt>Act</dt>
          <dd>A real browser that stays signed in: click, type, fill in forms, upload. It hands over to you.</dd>
        </div>
        <div>
          <dt>Follow</dt>
          <dd>Documentation and pages that are read again, searched, and compared line by line.</dd>
        </div>
      </dl>
    </>
  );
}

function UrlOptions() {
  return (
    <>
      <h2>Options in the connector URL</h2>
      <p>
        <code>?toolsets=reader</code> in the URL offers only the reader tools. <code>?toolsets=chatgpt</code> offers
        only <code>search</code> and <code>fetch</code>, which ChatGPT requires of a knowledge source. Add{' '}
        <code>?structured=off</code> if pages appear twice in a client.
      </p>
    </>
  );
}

function NoWebSearch() {
  return (
    <>
      <h2>For the owner of this server</h2>
      <p>
        Search is not web search yet: it finds only pages that were opened on this server. To search the web, add{' '}
        {REPOSITORY === null ? (
          'a search provider'
        ) : (
          <a href={`${REPOSITORY}/blob/main/docs/search.md`}>a search provider</a>
        )}
        : <code>SEARCH_PROVIDERS=keenable</code> (no key, with npm start only), <code>BRAVE_API_KEY</code> or{' '}
        <code>SEARXNG_URL</code>. Any address can be opened as it is.
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
        <img src={source('light')} alt={alt} width="880" height="560" />
      </picture>
      <figcaption>{text}</figcaption>
    </figure>
  );
}
