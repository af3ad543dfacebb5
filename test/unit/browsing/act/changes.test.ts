import { describe, expect, it } from 'vitest';
import { changesBetween, hasChanged } from '#browsing/act/changes.ts';
import type { PageFacts } from '#browsing/act/changes.ts';

const FACTS: PageFacts = {
  url: 'https://site.example/a',
  title: 'A',
  loaderId: 'L1',
  tabs: [{ id: 't1', url: 'https://site.example/a' }],
};

describe('what an action changed', () => {
  it('is nothing when nothing did', () => {
    expect(hasChanged(changesBetween(FACTS, FACTS, []))).toBe(false);
  });

  it('tells a place in the same document from another document', () => {
    const there = { ...FACTS, url: 'https://site.example/b', title: 'B' };
    const url = { from: FACTS.url, to: there.url };
    expect(changesBetween(FACTS, there, [])).toMatchObject({
      url: { ...url, isNewDocument: false },
      title: { from: 'A', to: 'B' },
    });
    expect(changesBetween(FACTS, { ...there, loaderId: 'L2' }, []).url).toEqual({ ...url, isNewDocument: true });
  });

  it('counts a page that was loaded again', () => {
    expect(changesBetween(FACTS, { ...FACTS, loaderId: 'L2' }, []).url).toEqual({
      from: FACTS.url,
      to: FACTS.url,
      isNewDocument: true,
    });
  });

  it('lists tabs that came and went, dialogs, and what was blocked', () => {
    const after = { ...FACTS, tabs: [{ id: 't2', url: 'https://site.example/new' }] };
    const changes = changesBetween(FACTS, after, [
      { kind: 'dialog', type: 'confirm', message: 'Sure?', answer: 'dismissed' },
      { kind: 'download', url: 'https://site.example/file.zip' },
      { kind: 'popup', url: 'https://ads.example/' },
      { kind: 'crash' },
    ]);
    expect(changes).toEqual({
      url: null,
      title: null,
      dialogs: [{ type: 'confirm', message: 'Sure?', answer: 'dismissed' }],
      tabsOpened: [{ id: 't2', url: 'https://site.example/new' }],
      tabsClosed: ['t1'],
      downloadsBlocked: ['https://site.example/file.zip'],
      popupsBlocked: ['https://ads.example/'],
      hasCrashed: true,
    });
    expect(hasChanged(changes)).toBe(true);
  });
});
