import { Hono } from 'hono';
import type { Context } from 'hono';
import type { CitationStore, SharedCitation, StoredCitation } from '#storage/citations.ts';
import { hasSecret, redactUrl } from '#core/secrets/secret-addresses.ts';
import { PATHS } from '#core/paths.ts';
import { toPlain } from '#core/text/plain.ts';
import { CITATIONS_PER_PAGE } from '#reading/limits.ts';
import { Message } from '#web/layout.tsx';
import { requireSignIn, continueTo, consoleVisitor, withVerifiedForm } from '#web/console/console.tsx';
import type { ConsoleDeps } from '#web/console/console.tsx';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import type { Site } from '#web/answers.ts';
import { fieldOf, page, signInFirst } from '#web/answers.ts';
import { oneLine } from '#core/text/text.ts';
import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { citationPath } from '#core/document/citation.ts';
import { shareOf } from '#storage/citations.ts';
import type { Audience, Share } from '#storage/citations.ts';
import { PageAddress, ScriptedUrlNote } from './citation.tsx';
import { CrowdedLinks } from './crowded-links.ts';
import { PassOn } from './pass-on.tsx';
import { PublicPage } from './public-page.tsx';
import { AUDIENCES, quotePath } from './sharing.tsx';
import { ConsolePage, ActionForm, Timestamp, FormProblem, NextLink } from '#web/console/console-page.tsx';
import type { Visitor } from '#web/console/console-page.tsx';

type SharedQuotesDeps = ConsoleDeps & {
  /** The public origin. */
  origin: string;
  citations: () => Pick<CitationStore, 'shared' | 'sharedByAll' | 'stopSharing' | 'urlByScript'>;
  /** Whether the operator's rules still allow the address. */
  mayShow: (url: string) => boolean;
  /** Whether a person with this account may still sign in. */
  isAdmitted: (subject: string, account: unknown) => Promise<boolean>;
  /** The person's name for the owner; `null` when unknown. */
  nameOf: (account: unknown) => string | null;
};

const SHARE_ID = /^[\w-]{22}$/;

/**
 * `/q/<id>`: shared quotes, for anyone who has the link, or for everyone who may sign in, while its person may sign in.
 * Search engines are told to leave them out. `/console/shared`: all of them, for the owner; to everybody else who is signed in, a page that does not exist.
 */
export function sharedQuotes(deps: SharedQuotesDeps): Hono<Site> {
  const app = new Hono<Site>();
  const links = new CrowdedLinks<SharedCitation | null>(Date.now);
  app.get(`${PATHS.quote}/:id`, async (c) => {
    c.header('X-Robots-Tag', 'noindex, nofollow');
    const id = c.req.param('id');
    const found = SHARE_ID.test(id) ? await links.find(id, () => sharedQuote(id, deps)) : null;
    const person = await deps.signIns.read(c.req.raw);
    if (found === null) return page(c, <Message {...NO_QUOTE} />, 404);
    if (found.shareId !== id && person === null) return signInFirst(c);
    const own = person?.subject === found.subject ? citationPath(found.cursor, linesOf(found)) : null;
    const view = { ...plainQuote(found), urlByScript: found.urlByScript, own, isSignedIn: person !== null };
    return page(c, <Quote {...view} origin={deps.origin} path={`${PATHS.quote}/${id}`} />, 200);
  });
  app.all(PATHS.shared, async (c, next) => {
    const person = await deps.signIns.read(c.req.raw);
    return person === null || person.owner ? next() : c.notFound();
  });
  app.get(PATHS.shared, (c) => requireSignIn(c, deps, (person) => showAll(c, deps, person, null)));
  app.post(PATHS.shared, (c) =>
    withVerifiedForm(c, deps, async (form, person) => {
      const isStopped = await deps.citations().stopSharing(fieldOf(form, 'id'));
      return isStopped
        ? continueTo(c, 'unshared', PATHS.shared)
        : showAll(c, deps, person, 'That quote is no longer shared.');
    }),
  );
  return app;
}

/** `null` when it is hidden. */
async function sharedQuote(id: string, deps: SharedQuotesDeps): Promise<SharedCitation | null> {
  const { citations } = deps;
  const found = await citations().shared(id);
  if (found === null || (await whyHidden(found, deps)) !== null) return null;
  if (found.urlByScript !== null) return found;
  return { ...found, urlByScript: await citations().urlByScript(found.documentId, found.url) };
}

function linesOf({ firstLine, lastLine }: StoredCitation) {
  return { start: firstLine, end: lastLine };
}

/** Why a shared quote is hidden; `null` when it is shown. */
async function whyHidden(
  { url, subject, account }: SharedCitation,
  { mayShow, isAdmitted }: SharedQuotesDeps,
): Promise<PublicLink['hidden']> {
  if (account === null) return 'unknown person';
  if (!(await isAdmitted(subject, account))) return 'person';
  return hasSecret(url) || !mayShow(url) ? 'address' : null;
}

function plainQuote({ quote, around, url, title, fetchedAt, documentId }: StoredCitation) {
  const { before, lead, tail, after } = around;
  return {
    quote: toPlain(quote),
    around: { before: before.map(toPlain), lead: toPlain(lead), tail: toPlain(tail), after: after.map(toPlain) },
    url: toPlain(url),
    title,
    fetchedAt,
    documentId,
  };
}

async function showAll(c: Context<Site>, deps: SharedQuotesDeps, person: SignedIn, problem: string | null) {
  const after = c.req.query('after') ?? null;
  const [found, visitor] = await Promise.all([
    deps.citations().sharedByAll(after, CITATIONS_PER_PAGE + 1),
    consoleVisitor(c, deps, person),
  ]);
  const shown = found.slice(0, CITATIONS_PER_PAGE);
  const last = found.length > shown.length ? shown.at(-1) : undefined;
  const hidden = await Promise.all(shown.map((one) => whyHidden(one, deps)));
  const links = shown.flatMap((one, at) => {
    const share = shareOf(one);
    return share === null ? [] : [linkTo(one, share, hidden[at] ?? null, deps)];
  });
  const next = last === undefined ? null : `${PATHS.shared}?${new URLSearchParams({ after: last.id }).toString()}`;
  return page(c, <PublicLinks {...{ visitor, links, next, problem }} />, problem === null ? 200 : 409);
}

function linkTo(
  one: SharedCitation,
  share: Share,
  hidden: PublicLink['hidden'],
  { nameOf }: SharedQuotesDeps,
): PublicLink {
  return {
    id: one.id,
    path: quotePath(share),
    audience: share.audience,
    quote: one.quote,
    url: toPlain(redactUrl(one.url)),
    person: nameOf(one.account),
    sharedAt: one.sharedAt ?? one.createdAt,
    hidden,
  };
}

const NO_QUOTE = {
  title: 'There is no quote here',
  text: 'This link is no longer shared, or it never was. Ask the person who gave it to you.',
};

type Props = {
  quote: string;
  around: { before: readonly string[]; lead: string; tail: string; after: readonly string[] };
  url: string;
  urlByScript: boolean | null;
  title: string | null;
  fetchedAt: number;
  documentId: string;
  origin: string;
  path: string;
  /** The page of the citation, for whoever made it. */
  own: string | null;
  isSignedIn: boolean;
};

const TITLE_QUOTE_CHARS = 120;

function Quote(props: Props) {
  const { quote, url, title, fetchedAt, documentId, origin, path, own, isSignedIn } = props;
  const from = oneLine(title ?? '', TITLE_CHARS_MAX) || (URL.parse(url)?.host ?? url);
  const preview = {
    description: `From ${from}, as it was on ${new Date(fetchedAt).toISOString().slice(0, 'YYYY-MM-DD'.length)}.`,
    image: PATHS.previewPicture,
    origin,
  };
  const name = `“${oneLine(quote, TITLE_QUOTE_CHARS)}”`;
  const links = isSignedIn ? [{ to: PATHS.citations, label: 'Citations' }] : [];
  return (
    <PublicPage title={`${name} – Periscope`} preview={preview} links={links} isHidden>
      <h1>A quote</h1>
      <QuotedWords {...props} />
      <PassOn {...{ quote, title, url, fetchedAt }} link={origin + path} isShared />
      <dl>
        <dt>Fetched</dt>
        <dd>
          <Timestamp at={fetchedAt} precise />
        </dd>
        <dt>SHA-256</dt>
        <dd>
          <code>{documentId}</code>
        </dd>
      </dl>
      {own === null ? null : (
        <p>
          <a href={own}>Your citation, in the whole page</a>
        </p>
      )}
      <p class="note">
        The page said this, word for word, when it was fetched; the hash is that of its text. It may say something else
        now: its address leads to the page as it is.
      </p>
    </PublicPage>
  );
}

function QuotedWords({ quote, around, url, urlByScript, title }: Props) {
  const { before, lead, tail, after } = around;
  const name = oneLine(title ?? '', TITLE_CHARS_MAX);
  return (
    <figure>
      <blockquote cite={/^https?:/u.test(url) ? url : undefined} lang="">
        <Around lines={before} />
        <p>
          {lead}
          <mark>{quote}</mark>
          {tail}
        </p>
        <Around lines={after} />
      </blockquote>
      <figcaption>
        {name === '' ? null : (
          <>
            <cite>{name}</cite>
            <br />
          </>
        )}
        <PageAddress url={url} quote={quote} />
        <ScriptedUrlNote urlByScript={urlByScript} />
      </figcaption>
    </figure>
  );
}

function Around({ lines }: { lines: readonly string[] }) {
  return (
    <>
      {lines.map((line) => (
        <p class="facts">{line}</p>
      ))}
    </>
  );
}

type PublicLink = {
  id: string;
  path: string;
  audience: Audience;
  quote: string;
  /** Without what looks like a credential. */
  url: string;
  person: string | null;
  /** In ms. */
  sharedAt: number;
  /** Why the link shows nothing now; `null` when it shows the quote. */
  hidden: 'person' | 'unknown person' | 'address' | null;
};

type PublicLinksProps = {
  visitor: Visitor;
  links: readonly PublicLink[];
  next: string | null;
  problem: string | null;
};

const QUOTE_SHOWN_CHARS = 300;
/** A person's addresses and their name at a provider. */
const PERSON_SHOWN_CHARS = 200;

function PublicLinks({ visitor, links, next, problem }: PublicLinksProps) {
  return (
    <ConsolePage visitor={visitor} title="Public links" at={PATHS.shared}>
      <p class="lead">
        Quotes that people of this server share, with anyone who has the link or with everyone who may sign in here.
      </p>
      <FormProblem text={problem} />
      {links.length === 0 ? <p>Nobody shares a quote now.</p> : null}
      <ul class="cards">
        {links.map((link) => (
          <Card link={link} form={visitor.form} />
        ))}
      </ul>
      <NextLink to={next} label="Older links" />
    </ConsolePage>
  );
}

const WHY_HIDDEN: Record<NonNullable<PublicLink['hidden']>, string> = {
  person: 'The link shows nothing: its person may no longer sign in.',
  'unknown person':
    'The link shows nothing: its person has not used this server since it began to check who may sign in. It works again once they do.',
  address: 'The link shows nothing: its address is not allowed, or looks like a secret.',
};

function Card({ link, form }: { link: PublicLink; form: string }) {
  const { id, path, audience, quote, url, person, sharedAt, hidden } = link;
  return (
    <li>
      <div>
        <blockquote lang="">{oneLine(quote, QUOTE_SHOWN_CHARS)}</blockquote>
        <p class="facts">
          Shared by <bdi>{person === null ? 'somebody who is not known' : oneLine(person, PERSON_SHOWN_CHARS)}</bdi>,{' '}
          <Timestamp at={sharedAt} precise />
        </p>
        <p class="facts">
          Source: <PageAddress url={url} />
        </p>
        <p class="facts">
          Link: <a href={path}>{path}</a> {AUDIENCES[audience]} can see it.
        </p>
        {hidden === null ? null : <p class="doubt">{WHY_HIDDEN[hidden]}</p>}
      </div>
      <ActionForm to={PATHS.shared} form={form} fields={{ id }} label="Stop sharing" about={path} />
    </li>
  );
}
