import type { Child } from 'hono/jsx';
import { citationPath, urlByScriptNote } from '#core/document/citation.ts';
import type { CitedSource } from '#core/document/citation.ts';
import type { Viewport } from '#core/document/document.ts';
import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { PATHS } from '#core/paths.ts';
import { toPlain } from '#core/text/plain.ts';
import { oneLine } from '#core/text/text.ts';
import type { Audience } from '#storage/citations.ts';
import { sourceLink } from '#reading/cite/citation-texts.ts';
import { FOCUS_ON_LOAD } from '#web/layout.tsx';
import { Timestamp } from '#web/parts/timestamp.tsx';
import { PageText } from '#web/page-text/page-text.tsx';
import type { Quoted } from '#web/page-text/quoted.ts';
import { PassOn } from './pass-on.tsx';
import { PublicPage } from './public-page.tsx';
import { AUDIENCES, SharingForm } from './sharing.tsx';

type Props = {
  source: CitedSource;
  cited: Viewport | null;
  /** The lines that this page shows, from `start` on. */
  shown: { start: number; lines: readonly string[]; fence: string | null };
  /** What is quoted of the cited lines. */
  quotes: readonly Quoted[];
  /** Result of the submitted form. */
  answer: Child;
  note: string | null;
  share: { audience: Audience; link: string } | null;
  /** What the cited lines say, to copy; `null` for too much. */
  words: string | null;
  /** The address of this page. */
  link: string;
  form: string;
};

/** `/c/<cursor>/L12-L15`: cited lines in the page they were read from, as it was read. */
export function Citation(props: Props) {
  const { source, cited, shown, quotes, answer, share, words, link, form } = props;
  const { title, url } = source;
  const name = oneLine(title ?? '', TITLE_CHARS_MAX) || hostOf(url);
  return (
    <PublicPage
      title={`${cited === null ? '' : `${capital(lineRangeText(cited))} of `}${name} – Periscope`}
      links={LINKS}
    >
      <h1>
        <bdi>{name}</bdi>
      </h1>
      <Facts {...props} />
      {words === null ? null : (
        <PassOn {...source} quote={words} link={share?.link ?? link} isShared={share !== null} />
      )}
      {cited === null ? null : <CitedForms {...{ source, cited, share, form }} />}
      {answer}
      <Text {...{ source, cited, shown, quotes }} hasFocus={answer === null} />
    </PublicPage>
  );
}

const LINKS = [{ to: PATHS.citations, label: 'Citations' }];

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function CitedForms({ source, cited, share, form }: Pick<Props, 'source' | 'share' | 'form'> & { cited: Viewport }) {
  const path = citationPath(source.cursor, cited);
  if (source.isLive) {
    return (
      <p class="facts">
        The page was read in a browser session, where you may have been signed in, so only you can see this quote. This
        server does not fetch the page again. To check the quote, open the page in the session.
      </p>
    );
  }
  return (
    <>
      <form method="post" action={path} class="actions">
        <input type="hidden" name="form" value={form} />
        <button type="submit" name="do" value="check">
          Does the live page still say so?
        </button>
      </form>
      {source.isPrivate && share === null ? null : (
        <details open={share !== null}>
          <summary>Share this quote</summary>
          <SharingForm action={path} form={form} audience={share?.audience ?? null} />
        </details>
      )}
    </>
  );
}

function Facts({ source, cited, note, share, words }: Props) {
  const { url, urlByScript, fetchedAt, documentId, lineCount, isLive, isPrivate } = source;
  return (
    <dl>
      <dt>Source</dt>
      <dd>
        <PageAddress url={url} quote={words} />
        <ScriptedUrlNote urlByScript={urlByScript} />
      </dd>
      <dt>{isLive ? 'Read in a browser' : 'Fetched'}</dt>
      <dd>
        <Timestamp at={fetchedAt} precise />
      </dd>
      {cited === null ? null : (
        <>
          <dt>Cited</dt>
          <dd>
            <a href={`#L${cited.start}`}>{lineRangeText(cited)}</a> of {lineCount}
          </dd>
        </>
      )}
      <dt>SHA-256</dt>
      <dd>
        <code>{documentId}</code>
      </dd>
      {note === null ? null : (
        <>
          <dt>Note</dt>
          <dd>{toPlain(note)}</dd>
        </>
      )}
      {share === null ? null : (
        <>
          <dt>Shared at</dt>
          <dd>
            <a href={share.link}>{share.link}</a>
            <br />
            {AUDIENCES[share.audience]} can see it.
          </dd>
        </>
      )}
      {isPrivate ? (
        <>
          <dt>Kept for</dt>
          <dd>you alone</dd>
        </>
      ) : null}
    </dl>
  );
}

export function RefusalNotice({ text }: { text: string }) {
  return (
    <p class="problem" role="alert" {...FOCUS_ON_LOAD}>
      {text}
    </p>
  );
}

/**
 * A link to a web address; other addresses are shown as text.
 * @param quote what the link leads to in the page
 */
export function PageAddress({ url, quote = null }: { url: string; quote?: string | null }) {
  const isWeb = /^https?:/u.test(url);
  return isWeb ? (
    <a href={quote === null ? url : sourceLink(url, quote)} rel="nofollow noopener noreferrer">
      {url}
    </a>
  ) : (
    <bdi>{url}</bdi>
  );
}

/** Note next to an address that a script may have set. */
export function ScriptedUrlNote({ urlByScript }: Pick<CitedSource, 'urlByScript'>) {
  const note = urlByScriptNote(urlByScript);
  return note === null ? null : (
    <>
      <br />
      <small>{note}</small>
    </>
  );
}

type TextProps = Pick<Props, 'source' | 'cited' | 'shown' | 'quotes'> & { hasFocus: boolean };

function Text({ source, cited, shown, quotes, hasFocus }: TextProps) {
  const { cursor, lineCount, restStart, url } = source;
  const { start, lines, fence } = shown;
  const end = start + lines.length - 1;
  const from = (at: number) => `${citationPath(cursor, cited)}?from=${Math.max(0, at)}`;
  return (
    <section aria-label={`Lines ${start + 1} to ${end + 1} of ${lineCount}, as they were read`}>
      {start === 0 ? null : (
        <p>
          <a href={from(start - lines.length)}>Lines before {start + 1}</a>
        </p>
      )}
      {restStart !== null && restStart > end ? (
        <p class="facts">
          From <a href={from(restStart)}>line {restStart + 1}</a> on: menus, related links, comments and notices of the
          page.
        </p>
      ) : null}
      <PageText {...{ lines, start, fence, url, cited, quotes, hasFocus }} place={cited === null ? `${cursor}/` : ''} />
      {end + 1 === lineCount ? null : (
        <p>
          <a href={from(end + 1)}>Lines from {end + 2} on</a>
        </p>
      )}
    </section>
  );
}

/** `line 13`, `lines 13–16`: people count from 1, and links and models from 0. */
export function lineRangeText({ start, end }: Viewport): string {
  return start === end ? `line ${start + 1}` : `lines ${start + 1}–${end + 1}`;
}

function hostOf(url: string): string {
  return URL.parse(url)?.host || url;
}
