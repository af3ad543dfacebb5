import { Response } from 'miniflare';

/** A manual in pages, each with lines that are easily mistaken for the right one. */
export const PASSAGES_SITE: Record<string, () => Response> = {
  '/robots.txt': () =>
    new Response('User-agent: *\nDisallow: /closed\n', { headers: { 'content-type': 'text/plain' } }),
  '/options': html(
    'Kettle options',
    `<h1>Kettle options</h1><p>The kettle takes options on its command line.</p>
    <h2>Time</h2><dl>
    <dt>--max-time</dt><dd>Stops the kettle after so many seconds. The default is 240.</dd>
    <dt>--max-times</dt><dd>How often the kettle may be started in a day.</dd></dl>
    <h2>Codes</h2><p>When it stops, the kettle says why:</p>
    <table><tr><th>Code</th><th>Meaning</th><th>What to do</th></tr>
    <tr><td>K17</td><td>No water inside</td><td>Fill it and press the lid</td></tr>
    <tr><td>K18</td><td>The lid stands open</td><td>Close it</td></tr></table>`,
  ),
  '/care': html(
    'Kettle care',
    `<h1>Kettle care</h1><h2>Removing limescale</h2>
    <p>Once a month, boil half a litre of vinegar and leave it for an hour. Rinse it twice.</p>
    <h2>Storage</h2><p>Keep the kettle dry.</p>`,
  ),
  '/care-copy': html(
    'Kettle care',
    `<h1>Kettle care</h1><h2>Removing limescale</h2>
    <p>Once a month, boil half a litre of vinegar and leave it for an hour. Rinse it twice.</p>
    <h2>Storage</h2><p>Keep the kettle dry.</p>`,
  ),
  '/repeats': html(
    'Limescale',
    `<h1>Limescale</h1>${'<p>remove limescale how often remove limescale</p>'.repeat(8_000)}`,
  ),
  // Twenty thousand repetitions as paragraphs, items and rows, because each kind is scored differently.
  '/repeats-prose': html(
    'Limescale',
    `<h1>Limescale</h1>${'<p>how often remove limescale how often remove limescale</p>'.repeat(10_000)}`,
  ),
  '/repeats-items': html(
    'Limescale',
    `<h1>Limescale</h1><ul>${'<li>how often remove limescale</li>'.repeat(20_000)}</ul>`,
  ),
  '/repeats-words': html(
    'Limescale',
    `<h1>How often remove limescale</h1><p>${'how often remove limescale '.repeat(20_000)}</p>`,
  ),
  '/long-words': html('Limescale', `<h1>Limescale</h1><p>${'how often remove limescale '.repeat(100_000)}</p>`),
  '/garden': html('Roses', '<h1>Roses</h1><h2>Cutting</h2><p>Cut roses above an eye that looks outwards.</p>'),
  '/closed': html('Closed', '<p>Nobody may read this.</p>'),
  '/japanese': html(
    '取扱説明書',
    '<h1>取扱説明書</h1><h2>お手入れ</h2><p>月に一度、酢を沸かして一時間置いてください。</p><h2>保管</h2><p>乾いた場所に保管してください。</p>',
  ),
};

function html(title: string, body: string): () => Response {
  return () =>
    new Response(`<!doctype html><html><head><title>${title}</title></head><body><main>${body}</main></body></html>`, {
      headers: { 'content-type': 'text/html; charset=utf-8' },
    });
}
