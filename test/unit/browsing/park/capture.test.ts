import { describe, expect, it } from 'vitest';
import { mergeStates } from '#browsing/park/capture.ts';
import type { CapturedSession } from '#browsing/park/capture.ts';
import type { ParkedCookie, ParkedState, StorageArea } from '#browsing/park/sealed-state.ts';

const TAB = { id: 't1', url: 'https://shop.example/', title: '', scroll: { x: 0, y: 0 } };

function area(origin: string, value: string, tabId: string | null = null): StorageArea {
  return { tabId, key: `${origin}/`, origins: [origin], entries: [['k', value]] };
}

function reading(over: Partial<CapturedSession>): CapturedSession {
  return { tabs: [TAB], cookies: [], areas: [], lost: [], ...over };
}

function state(over: Partial<ParkedState>): ParkedState {
  return { version: 1, tabs: [TAB], cookies: [], areas: [], lost: [], ...over };
}

function cookie(domain: string, bytes: number): ParkedCookie {
  const flags = { httpOnly: false, secure: false, sameSite: null, priority: 'Medium', partitionKey: null } as const;
  const source = { sourceScheme: 'Secure', sourcePort: 443 } as const;
  return { name: 'n', value: 'x'.repeat(bytes), domain, path: '/', expires: null, ...flags, ...source };
}

describe('the stored state of a session', () => {
  it('has the last reading of each site, and the earlier reading of sites that no page shows', () => {
    const earlier = state({ areas: [area('https://shop.example', 'old'), area('https://left.example', 'kept')] });
    const { areas } = mergeStates(reading({ areas: [area('https://shop.example', 'new')] }), earlier);
    expect(areas).toEqual([area('https://shop.example', 'new'), area('https://left.example', 'kept')]);
  });

  it('has nothing of a storage that a page has emptied', () => {
    const emptied = { ...area('https://shop.example', ''), entries: [] };
    const earlier = state({ areas: [area('https://shop.example', 'signed in')] });
    expect(mergeStates(reading({ areas: [emptied] }), earlier).areas).toEqual([]);
  });

  it('excludes the session storage of a closed tab', () => {
    const earlier = state({
      areas: [area('https://shop.example', 'one', 't1'), area('https://shop.example', 'two', 't2')],
    });
    expect(mergeStates(reading({}), earlier).areas).toEqual([area('https://shop.example', 'one', 't1')]);
  });

  it('stays within its limit: the oldest data is dropped first, and named', () => {
    const earlier = state({ areas: [area('https://old.example', 'x'.repeat(600_000))] });
    const merged = mergeStates(reading({ areas: [area('https://shop.example', 'y'.repeat(600_000))] }), earlier);
    expect(merged.areas.map(({ key }) => key)).toEqual(['https://shop.example/']);
    expect(merged.lost).toEqual([{ what: 'local_storage', origin: 'https://old.example', count: 1 }]);
  });

  it('prefers cookies of the sites that tabs show', () => {
    const many = Array.from({ length: 80 }, (_, at) => cookie(`site${at}.example`, 4_000));
    const merged = mergeStates(reading({ cookies: [...many, cookie('.shop.example', 4_000)] }), null);
    expect(merged.cookies[0]?.domain).toBe('.shop.example');
    expect(merged.cookies.length).toBeLessThan(80);
    expect(merged.lost).toEqual([{ what: 'cookie', origin: null, count: 81 - merged.cookies.length }]);
  });

  it('remembers which data of a site could not be stored until the site is opened again', () => {
    const earlier = state({ lost: [{ what: 'indexed_db', origin: 'https://shop.example', count: 2 }] });
    expect(mergeStates(reading({}), earlier).lost).toEqual(earlier.lost);
    expect(mergeStates(reading({ areas: [area('https://shop.example', 'a')] }), earlier).lost).toEqual([]);
  });
});
