import { describe, expect, it } from 'vitest';
import { mainLines } from '#core/document/document.ts';
import { read } from './support.ts';

const TEXT =
  '<p>The harbour was built before the war, and most of its gates are still in use today, although the water has risen.</p>';

async function mainOf(html: string): Promise<string> {
  const page = `<html><head><title>Gates</title></head><body><main><h1>Gates</h1>${TEXT.repeat(3)}${html}${TEXT.repeat(3)}</main></body></html>`;
  return mainLines(await read('html', page, 'readable')).join('\n');
}

describe('an address', () => {
  it.each([
    [
      'in an address element',
      '<address><div>Harbour Office</div><div>12 Quay Street</div><div>1010 Porto</div></address>',
    ],
    [
      'of a business card',
      '<div class="vcard"><div class="fn">Harbour Office</div><div class="adr"><div class="street-address">12 Quay Street</div><span class="postal-code">1010</span> <span class="locality">Porto</span></div></div>',
    ],
  ])('is main text as a whole, each part in its own line: %s', async (_, html) => {
    const lines = (await mainOf(html)).split('\n');
    for (const line of ['Harbour Office', '12 Quay Street', '1010 Porto']) expect(lines).toContain(line);
  });

  it.each([
    '<address><span>12 Quay Street</span><span>1010 Porto</span></address>',
    '<div itemscope itemtype="https://schema.org/PostalAddress"><span itemprop="streetAddress">12 Quay Street</span><span itemprop="addressLocality">1010 Porto</span></div>',
  ])('has spaces between parts that only style sheets divide: %s', async (html) => {
    expect(await mainOf(html)).toContain('12 Quay Street 1010 Porto');
  });

  it('is not main text in the footer of the page', async () => {
    const page = `<html><body><main><h1>Gates</h1>${TEXT.repeat(5)}</main><footer><address><div>Port Ltd</div><div>7 Pier</div></address></footer></body></html>`;
    expect(mainLines(await read('html', page, 'readable')).join('\n')).not.toContain('7 Pier');
  });
});
