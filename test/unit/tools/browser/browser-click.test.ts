import { describe, expect, it } from 'vitest';
import { clickedHead } from '#tools/browser/browser-click.ts';

describe('the answer to a click', () => {
  it('says that a box or radio button kept its state', () => {
    expect(clickedHead(undefined)).toBe('Clicked.');
    expect(clickedHead('off')).toBe('Clicked, but its state did not change: it is still off.');
    expect(clickedHead('chosen')).toBe('Clicked. It was already on.');
  });
});
