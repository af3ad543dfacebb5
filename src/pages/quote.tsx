import { oneLine } from '#core/text.ts';
import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { Address, ByScript } from './citation.tsx';
import { Layout } from './layout.tsx';
import { Moment } from './moment.tsx';

type Props = {
  quote: string;
  around: { before: readonly string[]; lead: string; tail: string; after: readonly string[] };
  url: string;
  urlByScript: boolean | null;
  title: string | null;
  fetchedAt: number;
  documentId: string;
};

/** `/q/<id>`: a quote that somebody shares, for anyone who has the link. */
export function Quote({ quote, around, url, urlByScript, title, fetchedAt, documentId }: Props) {
  const { before, lead, tail, after } = around;
  const name = oneLine(title ?? '', TITLE_CHARS_MAX);
  return (
    <Layout title="A quote – Periscope" isHidden>
      <h1>A quote</h1>
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
          <Address url={url} />
          <ByScript urlByScript={urlByScript} />
        </figcaption>
      </figure>
      <dl>
        <dt>Fetched</dt>
        <dd>
          <Moment at={fetchedAt} precise />
        </dd>
        <dt>SHA-256</dt>
        <dd>
          <code>{documentId}</code>
        </dd>
      </dl>
      <p class="note">
        The page said this, word for word, when it was fetched; the hash is that of its text. It may say something else
        now: its address leads to the page as it is.
      </p>
    </Layout>
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
