import { describe, expect, it } from 'vitest';
import { removeRanges, mapPageTexts } from '#core/text/page-texts.ts';
import type { TextWithCuts, TextOrigins, WithoutCuts } from '#core/text/page-texts.ts';

type Message = {
  id: string;
  kind: 'a' | 'b';
  at: number;
  names: string[];
  inner: { text: string | null; size: { width: number } } | null;
};

const TEXTS: TextOrigins<Message> = { id: 'ours', kind: 'ours', names: 'page', inner: { text: 'page' } };
const hide = (text: string) => text.replaceAll('secret', '••••');

describe('the texts of a message', () => {
  it('are changed only where they come from a page', () => {
    const said: Message = {
      id: 'secret',
      kind: 'a',
      at: 1,
      names: ['secret', 'b'],
      inner: { text: 'a secret', size: { width: 2 } },
    };
    expect(mapPageTexts(said, TEXTS, hide)).toEqual({
      id: 'secret',
      kind: 'a',
      at: 1,
      names: ['••••', 'b'],
      inner: { text: 'a ••••', size: { width: 2 } },
    });
    expect(mapPageTexts({ ...said, inner: null }, TEXTS, hide).inner).toBeNull();
  });

  it('count as page text if they are not classified, as in a message of another version', () => {
    const said: Message = { id: '1', kind: 'a', at: 1, names: [], inner: null };
    const newer = { ...said, code: 'secret', state: { level: ['secret'] } };
    expect(mapPageTexts<Message>(newer, TEXTS, hide)).toMatchObject({ code: '••••', state: { level: ['••••'] } });
  });

  it('must each be classified: the compiler refuses a message with an unclassified text', () => {
    type Decided = { id: 'ours'; kind: 'ours'; names: 'page'; inner: { text: 'page' } };
    type IsAll<M> = Decided extends TextOrigins<M> ? 'all' : 'not all';
    const found: [
      IsAll<Message>,
      IsAll<Message & { count: number; isIt: boolean | null }>,
      IsAll<Message & { said: string }>,
      IsAll<Message & { said?: { words: string[] } }>,
      IsAll<Message & { state: 'a' | 'b' }>,
    ] = ['all', 'all', 'not all', 'not all', 'not all'];
    expect(found).toHaveLength(5);
  });

  it('become strings when they are cut', () => {
    const told: WithoutCuts<{ name: TextWithCuts; all: TextWithCuts[]; at: number }> = { name: 'a', all: ['b'], at: 1 };
    expect(told.name + told.all.join('')).toBe('ab');
    expect(
      removeRanges('abcdefgh', [
        [6, 8],
        [0, 2],
        [1, 3],
      ]),
    ).toBe('def');
  });
});
