import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hiddenIn, hiding } from '#browsing/secrets/mask.ts';
import { toPlain } from '#core/plain.ts';

const VALUE = `Kestrel&"wing" 7+<é/\\'%>`;
const from = (text: string, ...values: string[]) => hiding(values.length === 0 ? [VALUE] : values)?.from(text);

const form = (value: string) => new URLSearchParams({ v: value }).toString().slice(2);
const html = (value: string) =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const bytes = (value: string) =>
  [...new TextEncoder().encode(value)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

describe('what is hidden in a text', () => {
  it.each([
    ['as it is', VALUE],
    ['in capitals', VALUE.toUpperCase()],
    ['in an address', encodeURIComponent(VALUE)],
    ['in an address, all of it', bytes(VALUE)],
    ['in an address, twice', encodeURIComponent(encodeURIComponent(VALUE))],
    ['in a form', form(VALUE)],
    ['in HTML', html(VALUE)],
    [
      'in HTML by numbers',
      Array.from(VALUE)
        .map((letter) => `&#${letter.codePointAt(0)};`)
        .join(''),
    ],
    ['in JSON', JSON.stringify(VALUE).slice(1, -1)],
    ['in JSON in JSON', JSON.stringify(JSON.stringify(VALUE)).slice(3, -3)],
    [
      'by code units',
      Array.from(VALUE)
        .map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join(''),
    ],
    ['with what nobody sees between', Array.from(VALUE).join('\u200b\u00ad')],
    ['in parts', `${VALUE.slice(0, 4)} ${VALUE.slice(4)}`],
  ])('%s', (_, text) => {
    expect(from(`before ${text} after ${text}.`)).toBe('before •••• after ••••.');
  });

  it.each([
    ['in groups, as sites write keys', 'qX7v-bN2l-mK9r'],
    ['in groups with points', 'qX7v.bN2l.mK9r'],
    ['by the escapes of scripts', String.raw`\x71X7vbN2lmK9\x72`],
    ['in hex', '71583776624e326c6d4b3972'],
    ['in base64', btoa('qX7vbN2lmK9r')],
  ])('%s', (_, text) => {
    expect(from(`before ${text} after`, 'qX7vbN2lmK9r')).toBe('before •••• after');
  });

  it.each([0, 1, 2, 3, 4])('in base64, behind %i other bytes', (before) => {
    const text = btoa(`${'x'.repeat(before)}qX7vbN2lmK9r and more`);
    const [start = '', end = ''] = from(text, 'qX7vbN2lmK9r')?.split('••••') ?? [];
    expect(text.startsWith(start) && text.endsWith(end)).toBe(true);
    expect(text.length - start.length - end.length).toBeGreaterThanOrEqual(14);
  });

  it('is hidden in parts of HTML, whose tags stay, and in the tags', () => {
    const page = 'a <p>qX7v<b>bN2l</b><!-- --><wbr>mK9<i title="qX7vbN2lmK9r">r</i></p>';
    expect(from(page, 'qX7vbN2lmK9r')).toBe('a <p>••••<b></b><!-- --><wbr><i title="••••"></i></p>');
    expect(from('<b>a<c>de</b>', 'a<c>de')).toBe('<b>••••</b>');
  });

  it('is a number only by itself', () => {
    expect(from('123456, x123456y, %20123456, 12 34 56', '123456')).toBe('••••, x••••y, %20••••, ••••');
    expect(from('1234567 and 0123456', '123456')).toBe('1234567 and 0123456');
  });

  it('is the longest value first, and nothing without one', () => {
    expect(from('password-long password', 'password', 'password-long')).toBe('•••• ••••');
    expect(hiding([])).toBeNull();
  });

  it('leaves no value behind in what models are shown, whatever stands around it', () => {
    const letters = fc.string({ minLength: 6, maxLength: 20, unit: 'grapheme-ascii' });
    fc.assert(
      fc.property(
        letters.filter((value) => /\S.*\S.*\S.*\S/u.test(value) && !/^\d+$/u.test(value)),
        fc.string(),
        fc.string(),
        (value, before, after) => {
          for (const text of [value, encodeURIComponent(value), form(value), html(value)]) {
            const shown = toPlain(hiding([value])?.from(before + text + after) ?? '');
            expect(shown.includes(text.trim())).toBe(false);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is found in time, however a page pads it', () => {
    const pad = ' \u200b'.repeat(20_000);
    const text = ['K', 'e', 's', 't', 'r', 'e', 'X'].join(pad);
    expect(from(text, 'Kestrel & wing')).toBe(text);
    expect(from(`a${pad}b${pad}c${pad}x`, 'a b c d e f')).toContain('x');
  });

  it('is told by its places, which are those of the text', () => {
    const text = `one ${VALUE} two ${VALUE}`;
    expect(
      hiding([VALUE])
        ?.places(text)
        .map(([start, end]) => text.slice(start, end)),
    ).toEqual([VALUE, VALUE]);
  });

  it('is hidden in every member but those that are ours', () => {
    const hide = hiding([VALUE]);
    if (hide === null) throw new Error('nothing to hide');
    const found = hiddenIn({ id: VALUE, list: [{ text: VALUE, count: 1, none: null }] }, hide, (name) => name === 'id');
    expect(found).toEqual({ id: VALUE, list: [{ text: '••••', count: 1, none: null }] });
  });
});
