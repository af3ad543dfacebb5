import { Hono } from 'hono';
import type { CitationStore, StoredCitation } from '#storage/citations.ts';
import { hasSecret } from '#core/secret-addresses.ts';
import { PATHS } from '#core/paths.ts';
import { toPlain } from '#core/plain.ts';
import { Message } from '#pages/message.tsx';
import { Quote } from '#pages/quote.tsx';
import type { Site } from './site.ts';
import { page } from './page.tsx';

export type SharedQuotesDeps = {
  citations: () => Pick<CitationStore, 'shared' | 'urlByScript'>;
  /** Whether the operator's rules still allow the address. */
  mayShow: (url: string) => boolean;
};

const SHARE_ID = /^[\w-]{22}$/;

/** `/q/<id>`: shared quotes, for anyone who has the link. Search engines are told to leave them out. */
export function sharedQuotes({ citations, mayShow }: SharedQuotesDeps): Hono<Site> {
  const app = new Hono<Site>();
  app.get(`${PATHS.quote}/:id`, async (c) => {
    c.header('X-Robots-Tag', 'noindex, nofollow');
    const id = c.req.param('id');
    const found = SHARE_ID.test(id) ? await citations().shared(id) : null;
    if (found === null || hasSecret(found.url) || !mayShow(found.url)) return page(c, <Message {...NO_QUOTE} />, 404);
    const urlByScript = found.urlByScript ?? (await citations().urlByScript(found.documentId, found.url));
    return page(c, <Quote {...plainQuote(found)} urlByScript={urlByScript} />, 200);
  });
  return app;
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

const NO_QUOTE = {
  title: 'There is no quote here',
  text: 'It is not shared any more, or never was. Ask whoever gave you the link.',
};
