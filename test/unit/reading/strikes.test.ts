import { describe, expect, it } from 'vitest';
import { endsStruck, haveSameStrikes } from '#reading/cite/citation-page.ts';

describe('struck-out text', () => {
  it.each([
    ['~~one two~~', '~~one~~ ~~two~~', true],
    ['~~one\ntwo~~', '~~one~~\n~~two~~', true],
    ['~~One “two”~~', '~~one "two"~~', true],
    ['~~50~~ 40', '50 ~~40~~', false],
    ['50 40', '~~50~~ 40', false],
    ['~~50~~ 40', '50 40', false],
    ['one', 'one two', true],
    ['one', '~~one~~ two', false],
  ])('is the same where the same letters are struck out: %j, %j', (one, other, isSame) => {
    expect(haveSameStrikes(one, other)).toBe(isSame);
    expect(haveSameStrikes(other, one)).toBe(isSame);
  });

  it.each([
    [[], false],
    [['~~It costs 50 €.'], true],
    [['~~It costs 50 €.', 'It leaves at eight.'], true],
    [['~~It costs 50 €.', 'It leaves at eight.~~'], false],
    [['~~It costs 50 €.', '', 'It leaves at eight.'], false],
    [['It costs `~~` 50 €.'], false],
    [['```sh', 'cp ~~/a b'], false],
    [['```sh', 'cp ~~/a b', '', 'ls', '```', 'It costs 50 €.'], false],
    [['x = ~~y', '```', 'It costs 50 €.'], false],
    [['```', 'x', '```', '~~It costs 50 €.'], true],
  ])('is open after %j: %s', (lines, isOpen) => {
    expect(endsStruck(lines)).toBe(isOpen);
  });
});
