import { describe, expect, it } from 'vitest';
import { findObstacles, notesOf } from '#scripts/package/release.ts';
import type { Release } from '#scripts/package/release.ts';

const MANIFEST = JSON.stringify({
  version: '1.2.0',
  repository: { url: 'git+https://github.com/acme/periscope.git' },
});
const CHANGELOG = '# Changelog\n\n## 1.2.0\n\n- One thing.\n\n## 1.1.0\n\n- Another.\n';

const release = (changes: Partial<Release> = {}): Release => ({
  manifest: MANIFEST,
  changelog: CHANGELOG,
  aged: [],
  ...changes,
});
const UNNAMED = JSON.stringify({ version: '1.2.0' });
const UNDATED = '## 1.2.0\n\nNot released yet.\n';
const AGED = [{ id: 'shift', why: '2 later commits, the last 0123abcd' }];

describe('the notes of a release', () => {
  it('are the text of the changelog for that version alone', () => {
    expect(notesOf('v1.2.0', release())).toBe('- One thing.\n');
  });

  it('are the end of the changelog for its oldest version', () => {
    const manifest = MANIFEST.replace('1.2.0', '1.1.0');
    expect(notesOf('v1.1.0', release({ manifest }))).toBe('- Another.\n');
  });

  it.each<[string, string, Partial<Release>, RegExp]>([
    ['the tag names another version', 'v1.1.0', {}, /^The tag is v1\.1\.0/],
    ['there is no tag', '', {}, /^The tag is missing/],
    ['the changelog has no such section', 'v1.2.0', { changelog: '# Changelog\n' }, /no section 1\.2\.0/],
    ['the changelog calls it unreleased', 'v1.2.0', { changelog: UNDATED }, /not released yet/],
    ['package.json names no repository', 'v1.2.0', { manifest: UNNAMED }, /names no repository/],
    ['the scoreboard shows a stale row', 'v1.2.0', { aged: AGED }, /^Row shift of the scoreboard is stale \(2 later/],
  ])('are refused when %s', (_, tag, changes, reason) => {
    expect(() => notesOf(tag, release(changes))).toThrow(reason);
  });
});

describe('the list of obstacles to a release', () => {
  it('is empty when everything is ready, also before there is a tag', () => {
    expect(findObstacles(null, release())).toEqual([]);
  });

  it('assigns missing names and dates to the owner, and stale figures to the project', () => {
    const found = findObstacles(null, release({ manifest: UNNAMED, changelog: UNDATED, aged: AGED }));
    const of = (wanted: boolean) => found.filter(({ isForOwner }) => isForOwner === wanted).map(({ reason }) => reason);
    expect(of(true)).toEqual([expect.stringMatching(/write the date/), expect.stringMatching(/names no repository/)]);
    expect(of(false)).toEqual([expect.stringMatching(/--run shift/)]);
  });
});
