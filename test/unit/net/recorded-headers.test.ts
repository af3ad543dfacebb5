import { describe, expect, it } from 'vitest';
import { HEADER_VALUE_CHARS_MAX } from '#net/limits.ts';
import { pickRecordedHeaders, robotsTags } from '#net/fetch/load.ts';

describe('pickRecordedHeaders', () => {
  it('keeps headers that describe the page and drops those that identify a session', () => {
    const headers = new Headers({
      'Content-Type': 'text/html',
      ETag: '"v1"',
      'Set-Cookie': 'sid=secret',
      'X-Session': 'secret',
      Server: 'x'.repeat(HEADER_VALUE_CHARS_MAX + 10),
    });
    expect(pickRecordedHeaders(headers)).toEqual({
      'content-type': 'text/html',
      etag: '"v1"',
      server: 'x'.repeat(HEADER_VALUE_CHARS_MAX),
    });
  });
});

describe('robotsTags', () => {
  it.each([
    ['noindex, NoAI', ['noindex', 'noai']],
    ['googlebot: noindex, nofollow, periscope: noimageai, *: noarchive', ['noimageai', 'noarchive']],
    ['max-snippet: 5, unavailable_after: 25 Jun 2027 15:00:00 PST, noindex', ['noindex']],
    ['noindex, noindex', ['noindex']],
    ['<script>', []],
  ])('reads %j', (value, tags) => {
    expect(robotsTags(new Headers({ 'x-robots-tag': value }), 'Periscope')).toEqual(tags);
  });

  it('finds nothing in headers without directives', () => {
    expect(robotsTags(new Headers(), 'Periscope')).toEqual([]);
  });
});
