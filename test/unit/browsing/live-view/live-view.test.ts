import { describe, expect, it } from 'vitest';
import { LIVE_TEXT_CHARS_MAX } from '#browsing/live-view/limits.ts';
import { readMessage } from '#browsing/live-view/live-view.ts';

const mouse = { kind: 'mouse', type: 'down', button: 'left', clicks: 1, held: 0, x: 0.5, y: 1 };

describe('what a page says', () => {
  it('is read as it was said', () => {
    const text = { kind: 'text', text: '"'.repeat(LIVE_TEXT_CHARS_MAX) };
    for (const message of [mouse, text, { kind: 'here' }, { kind: 'go', url: 'javascript:alert(1)' }]) {
      expect(readMessage(JSON.stringify(message))).toEqual(message);
    }
  });

  it.each([
    ['no JSON', 'mouse'],
    ['bytes', new ArrayBuffer(2)],
    ['a kind that there is not', { kind: 'eval', script: '1' }],
    ['a key that there is not', { ...mouse, target: 't2' }],
    ['a place outside of the picture', { ...mouse, x: 1.01 }],
    ['no number', { ...mouse, y: null }],
    ['fingers of nobody', { kind: 'touch', type: 'start', points: Array.from({ length: 11 }, () => ({ x: 0, y: 0 })) }],
    ['more text than is taken', { kind: 'text', text: 'x'.repeat(LIVE_TEXT_CHARS_MAX + 1) }],
    ['a list', [mouse]],
  ])('is not taken when it is %s', (_, message) => {
    const isRaw = typeof message === 'string' || message instanceof ArrayBuffer;
    expect(readMessage(isRaw ? message : JSON.stringify(message))).toBeNull();
  });
});
