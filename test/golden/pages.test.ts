import { describe, expect, it } from 'vitest';
import { goldenOf } from './golden.ts';

const PAGES = import.meta.glob<string>('./pages/*.html', { query: '?raw', import: 'default', eager: true });
const EXPECTED = import.meta.glob<string>('./pages/*.md', { query: '?raw', import: 'default', eager: true });

describe('golden pages', () => {
  for (const [path, html] of Object.entries(PAGES)) {
    const name = path.slice('./pages/'.length, -'.html'.length);
    it(`reads ${name} as expected`, async () => {
      expect(await goldenOf(name, html)).toBe(EXPECTED[path.replace(/html$/, 'md')]);
    });
  }

  it('has a page for every expectation', () => {
    for (const path of Object.keys(EXPECTED)) expect(PAGES).toHaveProperty([path.replace(/md$/, 'html')]);
  });
});
