import { describe, expect, it } from 'vitest';
import { differOnlyByTypedValues } from '#browsing/refs/written.ts';

describe('the words of a row', () => {
  it.each([
    ['Ann 10 Paid', 'Ann 25 Paid', ['25']],
    ['Ann Paid', 'Ann 25 Paid', ['25']],
    ['Ann 10 Open', 'Ann 25 Paid', ['25', 'Paid']],
    ['New York Open', 'New Orleans Open', ['New Orleans']],
    ['Ann 10.00 Open', 'Ann €25.00 Open', ['25']],
    ['Ann to do Open', 'Ann Done, at last Open', ['Done, at last']],
    ['Ann Open', 'Ann Open', ['25']],
  ])('"%s" that are now "%s" differ only by typed text', (before, now, written) => {
    expect(differOnlyByTypedValues(written, before, now)).toBe(true);
  });

  it.each([
    ['Ann 10 Paid', 'Bob 10 Paid', ['25']],
    ['Ann 10 Paid', 'Bob 25 Paid', ['25']],
    ['Ann 10 Total 20', 'Ann 25 Total 50', ['25']],
    ['Ann 10 Paid', 'Ann Paid', ['25']],
    ['Order 17 Ann', 'Order 18 Bob', ['18']],
    ['Ann 10', 'Ann 125', ['25']],
    ['Ann 10 Paid', 'Ann 25 Paid', []],
  ])('"%s" that are now "%s" differ by more', (before, now, written) => {
    expect(differOnlyByTypedValues(written, before, now)).toBe(false);
  });

  it('are compared in linear time, however often a value occurs', () => {
    const row = Array.from({ length: 100 }, () => 'x').join(' ');
    expect(differOnlyByTypedValues(['x', 'x x', 'x x x'], `${row} y`, `${row} z`)).toBe(false);
  });
});
