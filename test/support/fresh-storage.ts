import './wall-clock.ts';
import { extract } from '#extract/extract.ts';
import { emptyStorage } from './empty-storage.ts';

// Vitest loads a module in the context of the request that asks for it. Two that ask at the same time would wait for each
// other, so the common extractors are loaded before, and asked for no more.
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

/** Files of tests share one runtime, as starting one costs more than most of them. Each begins with empty storage. */
await emptyStorage();
