import { describe, expect, it } from 'vitest';
import { firstNamedChild, namedChildren, parseXml, textOf } from '#extract/xml/tree.ts';
import { changeFeed } from '#library/feed/change-feed.ts';
import type { FollowedChange } from '#storage/library/changes.ts';

const AT = Date.UTC(2026, 10, 24, 8, 30);
const FEED = { token: 'token-of-a-feed', library: 'https://docs.example/', createdAt: AT - 1000 };
const ORIGIN = 'https://periscope.example';

describe('the feed of changes', () => {
  it('is an Atom feed with an id, a time and a link for each change', () => {
    const { feed, entries } = read(changeFeed([change({}), change({ round: 3, at: AT - 60_000 })], FEED, ORIGIN));
    expect([
      textOf(firstNamedChild(feed, 'id')),
      textOf(firstNamedChild(feed, 'updated')),
      textOf(firstNamedChild(feed, 'title')),
    ]).toEqual([
      'tag:periscope.example,2026-01-01:changes/feed/token-of-a-feed',
      '2026-11-24T08:30:00.000Z',
      'Changes in https://docs.example/',
    ]);
    expect(firstNamedChild(feed, 'link')?.attributes).toMatchObject({
      rel: 'self',
      href: `${ORIGIN}/changes/feed/token-of-a-feed`,
    });
    expect(entries.map((entry) => textOf(firstNamedChild(entry, 'id')))).toEqual([
      'tag:periscope.example,2026-01-01:changes/f1/4/docs.example%2Fferry',
      'tag:periscope.example,2026-01-01:changes/f1/3/docs.example%2Fferry',
    ]);
    expect(firstNamedChild(entries[0], 'link')?.attributes['href']).toBe(
      `${ORIGIN}/changes/f1/4?page=docs.example%2Fferry`,
    );
    expect(textOf(firstNamedChild(entries[1], 'updated'))).toBe('2026-11-24T08:29:00.000Z');
  });

  it('shows removed and added blocks in the words of the page', () => {
    const { entries } = read(changeFeed([change({})], FEED, ORIGIN));
    expect(textOf(firstNamedChild(entries[0], 'title'))).toBe('Changed: The ferry');
    expect(textOf(firstNamedChild(entries[0], 'summary'))).toBe(
      'https://docs.example/ferry\nChanged in “Winter”: It leaves at [- eight -] [+ nine +]',
    );
  });

  it('escapes markup and control characters of a page', () => {
    const title = '</title><script>alert("1")</script>&lt;\u0000\u202e\ufffe]]>\ud800';
    const { feed, entries } = read(changeFeed([change({ title })], FEED, ORIGIN));
    expect(entries).toHaveLength(1);
    expect(namedChildren(feed, 'script')).toEqual([]);
    expect(textOf(firstNamedChild(entries[0], 'title'))).toBe(
      'Changed: </title><script>alert("1")</script>&lt;]]>\ufffd',
    );
  });

  it('is a feed without entries, as old as its link, when there are no changes', () => {
    const { feed, entries } = read(changeFeed([], { ...FEED, library: null }, ORIGIN));
    expect([entries.length, textOf(firstNamedChild(feed, 'updated')), textOf(firstNamedChild(feed, 'title'))]).toEqual([
      0,
      '2026-11-24T08:29:59.000Z',
      'Changes in everything you follow',
    ]);
  });
});

function change(given: Partial<FollowedChange>): FollowedChange {
  return {
    follow: 'f1',
    key: 'docs.example/ferry',
    round: 4,
    kind: 'changed',
    url: 'https://docs.example/ferry',
    movedTo: null,
    title: 'The ferry',
    problem: null,
    before: 'a',
    after: 'b',
    blocks: [
      {
        kind: 'changed',
        before: { first: 4, last: 4 },
        after: { first: 4, last: 4 },
        section: 'Winter',
        head: null,
        words: [
          { kind: 'same', text: 'It leaves at ' },
          { kind: 'gone', text: 'eight' },
          { kind: 'new', text: 'nine' },
        ],
      },
    ],
    at: AT,
    library: 'https://docs.example/',
    ...given,
  };
}

function read(xml: string) {
  const { document, cut } = parseXml(xml);
  const feed = firstNamedChild(document, 'feed');
  expect(cut).toBe(false);
  return { feed, entries: namedChildren(feed, 'entry') };
}
