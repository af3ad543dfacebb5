import type { Child } from 'hono/jsx';
import { citationPath, noteScriptedUrl } from '#core/document/citation.ts';
import type { CitedSource } from '#core/document/citation.ts';
import type { Viewport } from '#core/document/document.ts';
import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { PATHS } from '#core/paths.ts';
import { sanitizeText } from '#core/text/plain.ts';
import { oneLine } from '#core/text/text.ts';
import type { Audience } from '#storage/citations.ts';
import { textFragmentLink, hostOf } from '#reading/cite/citation-texts.ts';
import { FOCUS_ON_LOAD } from '#web/layout.tsx';
import { Timestamp } from '#web/parts/timestamp.tsx';
import { PageText } from '#web/page-text/page-text.tsx';
import type { QuotedWords } from '#web/page-text/quoted.ts';
import { CopyCitation, AUDIENCES, SharingForm } from './sharing.tsx';
import { PublicPage } from './public-page.tsx';

type Props = {
  source: CitedSource;
  cited: Viewport | null;
  shown: { start: number; lines: readonly string[]; fence: string | null };
  quotes: readonly QuotedWords[];
  answer: Child;
  note: string | null;
  share: { audience: Audience; link: string } | null;
  words: string | null;
  link: string;
  form: string;
};

export function CitationPage(props: Props) {
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
      <p class="printed">{share?.link ?? link}</p>
      <Facts {...props} />
      <div class="controls">
        {cited === null || source.isLive ? null : <CheckForm path={citationPath(source.cursor, cited)} form={form} />}
        {words === null ? null : (
          <CopyCitation {...source} quote={words} link={share?.link ?? link} isShared={share !== null} />
        )}
        {cited === null ? null : <Sharing {...{ source, cited, share, form }} />}
      </div>
      {answer}
      <Text {...{ source, cited, shown, quotes }} hasFocus={answer === null} />
    </PublicPage>
  );
}

const LINKS = [{ to: PATHS.citations, label: 'Citations' }];

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function CheckForm({ path, form }: { path: string; form: string }) {
  return (
    <form method="post" action={path}>
      <input type="hidden" name="form" value={form} />
      <button type="submit" name="do" value="check">
        Does the live page still say so?
      </button>
    </form>
  );
}

function Sharing({ source, cited, share, form }: Pick<Props, 'source' | 'share' | 'form'> & { cited: Viewport }) {
  if (source.isLive) {
    return (
      <p class="facts">
        The page was read in a browser session, where you may have been signed in, so only you can see this quote. This
        server does not fetch the page again. To check the quote, open the page in the session.
      </p>
    );
  }
  if (source.isPrivate && share === null) return null;
  return (
    <details>
      <summary>Share this quote</summary>
      <SharingForm action={citationPath(source.cursor, cited)} form={form} audience={share?.audience ?? null} />
    </details>
  );
}

function Facts({ source, cited, note, share, words }: Props) {
  const { url, urlByScript, fetchedAt, lineCount, isLive, isPrivate } = source;
  return (
    <dl>
      <dt>Source</dt>
      <dd>
        <PageUrlLink url={url} quote={words} />
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
            <a href={`#L${cited.start}`}>{lineRangeText(cited)}</a> (the page has lines 0 to {lineCount - 1})
          </dd>
        </>
      )}
      {note === null ? null : (
        <>
          <dt>Note</dt>
          <dd>{sanitizeText(note)}</dd>
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
          <dt>Stored for</dt>
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

/** A link for a web URL, or else the URL as text. @param quote text of the page to scroll to, by a text fragment */
export function PageUrlLink({ url, quote = null }: { url: string; quote?: string | null }) {
  const isWeb = /^https?:/u.test(url);
  return isWeb ? (
    <a href={quote === null ? url : textFragmentLink(url, quote)} rel="nofollow noopener noreferrer">
      {url}
    </a>
  ) : (
    <bdi>{url}</bdi>
  );
}

export function ScriptedUrlNote({ urlByScript }: Pick<CitedSource, 'urlByScript'>) {
  const note = noteScriptedUrl(urlByScript);
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
    <section aria-label={`Lines ${start} to ${end}, as they were read`}>
      {start === 0 ? null : (
        <p>
          <a href={from(start - lines.length)}>Lines before {start}</a>
        </p>
      )}
      {restStart !== null && restStart > end ? (
        <p class="facts">
          From <a href={from(restStart)}>line {restStart}</a> on: menus, related links, comments and notices of the
          page.
        </p>
      ) : null}
      <PageText {...{ lines, start, fence, url, cited, quotes, hasFocus }} place={cited === null ? `${cursor}/` : ''} />
      {end + 1 === lineCount ? null : (
        <p>
          <a href={from(end + 1)}>Lines from {end + 1} on</a>
        </p>
      )}
    </section>
  );
}

/** `line 12` or `lines 12–15`, counted from 0 like the line numbers of models and links. */
export function lineRangeText({ start, end }: Viewport): string {
  return start === end ? `line ${start}` : `lines ${start}–${end}`;
}
