import { describe, expect, it } from 'vitest';
import { STALE_REFS_MAX, REFS_PER_SESSION_MAX, parseRef, ElementRefs } from '#browsing/refs/refs.ts';
import type { RefSurroundings, RefTarget } from '#browsing/refs/refs.ts';

function target(change: Partial<RefTarget> = {}): RefTarget {
  return {
    tabId: 't1',
    frameId: 'f',
    loaderId: 'l',
    backendNodeId: 7,
    role: 'button',
    name: 'Go',
    url: '',
    description: '',
    context: null,
    alone: 'main',
    ...change,
  };
}

/** The context of a removed element. */
const gone = () => null;

describe('the table of refs', () => {
  it('gives the same element the same ref', () => {
    const refs = new ElementRefs();
    expect(refs.mint(target(), gone)).toBe('@e1');
    expect(refs.mint(target(), gone)).toBe('@e1');
    expect(refs.current('@e1')).toEqual(target());
  });

  it.each<Partial<RefTarget>>([{ name: 'Stop' }, { role: 'link' }, { url: 'https://site.example/' }])(
    'gives an element that has changed (%o) a new ref, and the old ref when it changes back',
    (change) => {
      const refs = new ElementRefs();
      refs.mint(target(), gone);
      expect(refs.mint(target(change), gone)).toBe('@e2');
      expect(refs.current('@e1')).toBeNull();
      expect(refs.former('@e1')).toEqual(target());
      expect(refs.mint(target(), gone)).toBe('@e1');
      expect(refs.current('@e1')).toEqual(target());
      expect(refs.former('@e2')).toEqual(target(change));
    },
  );

  const alice: RefSurroundings = { kind: 'part', backendNodeId: 3, text: 'Alice', nodes: [4], kindOfWords: 'texts' };
  const bob: RefSurroundings = { ...alice, text: 'Bob' };

  it('gives a new ref to an element whose surroundings have other words', () => {
    const refs = new ElementRefs();
    refs.mint(target({ context: alice }), gone);
    expect(refs.mint(target({ context: bob }), () => 'Bob')).toBe('@e2');
    expect(refs.mint(target({ context: null }), gone)).toBe('@e3');
  });

  it('gives no old ref to an element with the same words in other surroundings', () => {
    const refs = new ElementRefs();
    refs.mint(target({ context: alice }), gone);
    refs.mint(target({ context: bob }), gone);
    expect(refs.mint(target({ context: { ...alice, backendNodeId: 4 } }), gone)).toBe('@e3');
  });

  it('keeps the ref of an element with a new binding, as long as the old binding still holds', () => {
    const refs = new ElementRefs();
    refs.mint(target(), gone);
    expect(refs.mint(target({ context: alice }), gone)).toBe('@e1');
    expect(refs.mint(target({ context: { kind: 'headings', text: 'People' } }), () => 'Alice')).toBe('@e1');
    expect(refs.current('@e1')?.context).toEqual({ kind: 'headings', text: 'People' });
    expect(refs.mint(target({ context: alice }), () => 'Places')).toBe('@e2');
  });

  it.each<Partial<RefTarget>>([{ tabId: 't2' }, { frameId: 'g' }, { loaderId: 'm' }, { backendNodeId: 8 }])(
    'distinguishes elements of other places (%o)',
    (change) => {
      const refs = new ElementRefs();
      expect([refs.mint(target(), gone), refs.mint(target(change), gone), refs.mint(target(), gone)]).toEqual([
        '@e1',
        '@e2',
        '@e1',
      ]);
    },
  );

  it('continues the numbers from before a restart of the session', () => {
    const refs = new ElementRefs(41);
    expect(refs.mint(target(), gone)).toBe('@e41');
    expect(refs.next).toBe(42);
  });

  it('forgets a closed tab, and the refs shown longest ago when there are too many', () => {
    const refs = new ElementRefs();
    const first = refs.mint(target(), gone);
    const second = refs.mint(target({ backendNodeId: 8 }), gone);
    refs.mint(target(), gone);
    for (let id = 100; id < 100 + REFS_PER_SESSION_MAX - 1; id += 1)
      refs.mint(target({ backendNodeId: id, tabId: 't2' }), gone);
    expect(refs.current(second)).toBeNull();
    expect(refs.current(first)).not.toBeNull();
    expect(refs.ofTab('t2')).toHaveLength(REFS_PER_SESSION_MAX - 1);
    refs.forgetTab('t2');
    expect(refs.ofTab('t2')).toEqual([]);
    expect(refs.current(first)).not.toBeNull();
  });

  it('forgets the oldest states of changed elements, and keeps the current ones', () => {
    const refs = new ElementRefs();
    for (let at = 0; at <= STALE_REFS_MAX + 1; at += 1) refs.mint(target({ name: `${at} seconds` }), gone);
    expect(refs.former('@e1')).toBeNull();
    expect(refs.former('@e2')).not.toBeNull();
    expect(refs.ofTab('t1')).toHaveLength(1);
  });
});

describe('text that looks like a ref', () => {
  it.each(['@e12', 'e12', '[ref=e12]', '[ref=@e12]', ' @e12 '])('%s is @e12', (text) => {
    expect(parseRef(text)).toBe('@e12');
  });

  it.each(['@e0', 'e', '#e12', 'em', 'e12 a', '@e12345678901', ''])('%s is not a ref', (text) => {
    expect(parseRef(text)).toBeNull();
  });
});
