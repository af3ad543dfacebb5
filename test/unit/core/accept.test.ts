import { describe, expect, it } from 'vitest';
import { accepts, acceptsExplicitly } from '#core/text/accept.ts';

const JSON_TYPE = 'application/json';
const EVENTS = 'text/event-stream';

describe('an Accept header', () => {
  it.each<[string | null, boolean, boolean]>([
    [null, true, true],
    ['', true, true],
    ['*/*', true, true],
    ['*', true, true],
    ['text/html, *; q=.2', true, true],
    ['application/*, text/*', true, true],
    ['application/json', true, false],
    ['text/event-stream', false, true],
    ['Application/JSON, Text/Event-Stream', true, true],
    ['application/json;charset=utf-8 , text/event-stream ; q=0.1', true, true],
    ['text/html', false, false],
    ['*/*;q=0', false, false],
    ['*/*;q=0.000', false, false],
    ['*/*, text/event-stream;q=0', true, false],
    ['text/event-stream;q=0, */*', true, false],
    ['text/*;q=0, text/event-stream', false, true],
    ['application/json;Q=0, text/event-stream', false, true],
    ['application/jsonp, text/event-streams', false, false],
    ['xapplication/json', false, false],
    ['application/json; profile="a, text/event-stream"', true, false],
    [',;,;', true, true],
  ])('%j', (header, json, events) => {
    expect([accepts(header, JSON_TYPE), accepts(header, EVENTS)]).toEqual([json, events]);
  });

  it('names a type only by an exact entry', () => {
    expect(acceptsExplicitly('text/html, */*', 'text/html')).toBe(true);
    expect(acceptsExplicitly('Text/HTML;q=0.5', 'text/html')).toBe(true);
    for (const header of [null, '', '*/*', 'text/*', 'text/html;q=0', 'text/htmlx'])
      expect(acceptsExplicitly(header, 'text/html')).toBe(false);
  });
});
