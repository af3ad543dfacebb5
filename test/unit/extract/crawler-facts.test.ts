import { describe, expect, it } from 'vitest';
import { readCrawlerDirectives } from '#extract/html/page-metadata.ts';

const PAGE = { xml: false, url: 'https://docs.example/a/b?x=1', productToken: 'Periscope' };

describe('the crawler directives of a page', () => {
  it('apply when they address all crawlers or this one', () => {
    const head =
      '<meta name="robots" content="NOINDEX, follow"><meta name="periscope" content="noai"><meta name="otherbot" content="none">';
    expect(readCrawlerDirectives(`<html><head>${head}</head></html>`, PAGE).directives).toEqual([
      'noindex',
      'follow',
      'noai',
    ]);
  });

  it('are not read from comments, scripts or the body', () => {
    const meta = '<meta name="robots" content="noindex">';
    const html = `<html><head><!-- ${meta} --><script>"${meta}"</script><title>x</title></head><body>${meta}</body></html>`;
    expect(readCrawlerDirectives(html, PAGE).directives).toEqual([]);
  });

  it.each([
    ['/a/b#c', 'https://docs.example/a/b'],
    ['https://other.example/a', null],
    ['javascript:alert(1)', null],
  ])('include the canonical URL: %s', (href, canonical) => {
    expect(readCrawlerDirectives(`<head><link rel="canonical" href="${href}"></head>`, PAGE).canonical).toBe(canonical);
  });
});
