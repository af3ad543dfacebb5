import './wall-clock.ts';
import { extract } from '#extract/extract.ts';
import { emptyStorage } from './empty-storage.ts';

// Vitest loads a module in the context of the request that asks for it. Two requests that ask at the same time would
// wait for each other. Loading the common extractors first avoids that.
const TEXTS = {
  html: '<p>Some words.</p>',
  markdown: 'Some words.',
  text: 'Some words.',
  json: '{"some":"words"}',
  xml: '<some>words</some>',
  feed: '<rss><channel><title>Some words</title><item><title>One</title></item></channel></rss>',
  csv: 'some,words\n1,2',
} as const;
for (const kind of ['html', 'markdown', 'text', 'json', 'xml', 'feed', 'csv'] as const) {
  await extract({ kind, text: TEXTS[kind], bytes: new Uint8Array(), url: 'https://docs.example/', mode: 'readable' });
}
await import('#extract/siteconfigs/read-site.ts');

/** Test files share one runtime, because starting one is slow. Each file begins with empty storage. */
await emptyStorage();
