import { describe, expect, it } from 'vitest';
import { notesOf } from '#scripts/package/release.ts';

const MANIFEST = JSON.stringify({
  version: '1.2.0',
  repository: { url: 'git+https://github.com/acme/periscope.git' },
});
const CHANGELOG = '# Changelog\n\n## 1.2.0\n\n- One thing.\n\n## 1.1.0\n\n- Another.\n';

describe('the notes of a release', () => {
  it('are what the changelog says of that version alone', () => {
    expect(notesOf('v1.2.0', MANIFEST, CHANGELOG)).toBe('- One thing.\n');
  });

  it('are the end of the changelog for its oldest version', () => {
    const oldest = MANIFEST.replace('1.2.0', '1.1.0');
    expect(notesOf('v1.1.0', oldest, CHANGELOG)).toBe('- Another.\n');
  });

  it.each([
    ['the tag names another version', 'v1.1.0', MANIFEST, CHANGELOG, /^The tag is v1\.1\.0/],
    ['there is no tag', '', MANIFEST, CHANGELOG, /^The tag is missing/],
    ['the changelog has no such section', 'v1.2.0', MANIFEST, '# Changelog\n', /no section 1\.2\.0/],
    ['the changelog calls it unreleased', 'v1.2.0', MANIFEST, '## 1.2.0\n\nNot released yet.\n', /not released yet/],
    [
      'package.json names no repository',
      'v1.2.0',
      JSON.stringify({ version: '1.2.0' }),
      CHANGELOG,
      /names no repository/,
    ],
  ])('are refused when %s', (_, tag, about, changelog, reason) => {
    expect(() => notesOf(tag, about, changelog)).toThrow(reason);
  });
});
