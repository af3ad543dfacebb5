import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSecretMask } from '#browsing/secrets/mask.ts';
import { hostileSize, stories } from '#support/stories.ts';
import { sanitizeText } from '#core/text/plain.ts';

const VALUE = `Kestrel&"wing" 7+<é/\\'%>`;
const from = (text: string, ...values: string[]) =>
  createSecretMask(values.length === 0 ? [VALUE] : values)?.from(text);

const form = (value: string) => new URLSearchParams({ v: value }).toString().slice(2);
const html = (value: string) =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const bytes = (value: string) =>
  [...new TextEncoder().encode(value)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

describe('a secret in a text', () => {
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

  it.each([
    ['a tab', 'qX7vbN\t2lmK9r'],
    ['line ends', 'qX7v\nbN2l\r\nmK9r'],
    ['a line of HTML', 'qX7vbN2l</td>\n  <td>mK9r'],
    ['a line end in JSON', String.raw`qX7v\nbN2lmK9r`],
  ])('with %s between its parts', (_, text) => {
    expect(from(`before ${text} after`, 'qX7vbN2lmK9r')).toMatch(/^before ••••(?:<\/td><td>)? after$/);
  });

  it('is not masked across line ends for parts, numbers and short words, which tables contain', () => {
    expect(from('w\ninterface, hun\nter2', 'winter2023', 'hunter2')).toBe('w\ninterface, hun\nter2');
    expect(from('123\t45678', '12345678')).toBe('123\t45678');
  });

  it('with escaped line ends', () => {
    expect(from('before ke\nst\nre after', String.raw`ke\nst\nre`)).toBe('before •••• after');
  });

  it.each([
    ['in HTML in JSON', String.raw`qX7v\u003cmark\u003ebN2\u003c/mark\u003elmK9r`],
    ['in HTML in HTML', 'qX7v&lt;mark&gt;bN2&lt;/mark&gt;lmK9r'],
    ['in HTML in an address', 'qX7v%3Cmark%3EbN2%3C%2Fmark%3ElmK9r'],
  ])('with tags in between, which are encoded, too: %s', (_, text) => {
    expect(from(`<p title="before ${text} after">`, 'qX7vbN2lmK9r')).toBe('<p title="before •••• after">');
  });

  it.each([
    ['in base64', btoa('Zürich-Gärten-1234')],
    ['in hex', Array.from('Zürich-Gärten-1234', (letter) => letter.charCodeAt(0).toString(16)).join('')],
    ['in base64, the beginning', btoa('Zürich-Gärten-12')],
  ])('as bytes of Latin-1, %s', (_, text) => {
    expect(from(`before ${text} after`, 'Zürich-Gärten-1234')).toBe('before •••• after');
  });

  it.each([
    ['in small letters', (value: string) => value.toLowerCase()],
    ['in capitals', (value: string) => value.toUpperCase()],
    ['taken apart', (value: string) => value.normalize('NFD')],
    ['in a form', form],
    ['in an address', encodeURIComponent],
    ['in JSON', (value: string) => JSON.stringify(value)],
  ])('as bytes of its %s', (_, spelled) => {
    const bytesIn = Buffer.from(`name=${spelled(VALUE)}&more`);
    for (const encoded of [bytesIn.toString('hex'), bytesIn.toString('base64')]) {
      const [start = '', end = ''] = from(encoded, VALUE)?.split('••••') ?? [];
      const shown = Buffer.from(start, encoded.startsWith('6e') ? 'hex' : 'base64').toString() + end;
      expect(shown.length).toBeLessThan(22);
    }
  });

  it.each([0, 1, 2, 3, 4])('in base64, after %i other bytes', (before) => {
    const text = btoa(`${'x'.repeat(before)}qX7vbN2lmK9r and more`);
    const [start = '', end = ''] = from(text, 'qX7vbN2lmK9r')?.split('••••') ?? [];
    expect(text.startsWith(start) && text.endsWith(end)).toBe(true);
    expect(text.length - start.length - end.length).toBeGreaterThanOrEqual(14);
  });

  it.each(
    [16, 64, 76].flatMap((chars) =>
      ['\n', '\r\n', ' ', '<br>', '<br>\n', String.raw`\n`].map((end) => ({ chars, end })),
    ),
  )('in base64 and hex, in lines of $chars characters with $end between', ({ chars, end }) => {
    const value = 'correct-horse-battery-staple-and-another-horse-with-a-longer-name';
    const lined = (text: string) => text.match(new RegExp(`.{1,${chars}}`, 'gv'))?.join(end) ?? '';
    for (const one of [value, `user:${value}`]) {
      for (const encoded of [btoa(one), Buffer.from(one).toString('hex')]) {
        const shown = from(`before ${lined(encoded)} after`, value) ?? '';
        expect(shown.replaceAll(/<br>|\n/gv, '')).toMatch(/^before ?[a-z\d]{0,10}•+[a-z\d]{0,2}=* ?after$/iv);
      }
    }
  });

  it('is masked in parts of HTML, whose tags stay, and in the tags', () => {
    const page = 'a <p>qX7v<b>bN2l</b><!-- --><wbr>mK9<i title="qX7vbN2lmK9r">r</i></p>';
    expect(from(page, 'qX7vbN2lmK9r')).toBe('a <p>••••<b></b><!-- --><wbr><i title="••••"></i></p>');
    expect(from('<b>a<c>de</b>', 'a<c>de')).toBe('<b>••••</b>');
  });

  it.each([
    ['a part of which is hidden by itself, too', 'a <p>qX<b>7vbN2lmK9r</b></p>', 'a <p>••••<b></b></p>'],
    ['with tags in that part', 'a <p>qX<b>7vbN</b>2lmK9r</p>', 'a <p>••••<b></b></p>'],
    ['beside another one', 'a qX7vbN2lmK9rqX7vbN2lmK9r', 'a ••••'],
    ['and is drawn again in the next element', '<li>qX7vbN2lmK9r<li>qX7vbN2lmK9r', '<li>••••<li>••••'],
  ])('is one run of dots, %s', (_, text, shown) => {
    expect(from(text, 'qX7vbN2lmK9r')).toBe(shown);
  });

  it('is masked as a number only where it is separate', () => {
    expect(from('123456, x123456y, %20123456, 12 34 56', '123456')).toBe('••••, x••••y, %20••••, ••••');
    expect(from('1234567 and 0123456', '123456')).toBe('1234567 and 0123456');
  });

  it.each([
    ['in groups, as in Switzerland', '092452', '092’452'],
    ['with a sign of ASCII for that', '092452', "092'452"],
    ['without the zeros before it', '092452', '92452'],
    ['in Arabic digits', '092452', '٠٩٢٤٥٢'],
    ['in digits of Persian, in a group', '734051', '۷۳۴٬۰۵۱'],
    ['in digits of Bengali', '734051', '৭৩৪০৫১'],
  ])('is a number %s', (_, value, text) => {
    expect(from(`your code: ${text} is it`, value)).toBe('your code: •••• is it');
  });

  it('does not count as a number of four digits if only zeros precede it', () => {
    expect(from('in 2026 and 192452, 924521', '002026', '092452')).toBe('in 2026 and 192452, 924521');
  });

  it('is masked for the longest value first, and not at all without a value', () => {
    expect(from('password-long password', 'password', 'password-long')).toBe('•••• ••••');
    expect(createSecretMask([])).toBeNull();
  });

  it('is masked in every text for models, whatever surrounds it', () => {
    const values = fc.string({ minLength: 20, maxLength: 40, unit: 'grapheme-ascii' });
    fc.assert(
      fc.property(
        // A shorter value may complete an escape around it, and so may an address (docs/secrets.md).
        values.filter((value) => value.replaceAll(/[^a-z\d]/giu, '').length >= 14 && !/^\d+$/u.test(value)),
        fc.string(),
        fc.string(),
        (value, before, after) => {
          fc.pre(!value.includes('@') || !/[%&\\]/u.test(before));
          const hide = createSecretMask([value]);
          for (const text of [value, encodeURIComponent(value), form(value), html(value)]) {
            const shown = sanitizeText(hide?.from(before + text + after) ?? '');
            expect(shown.includes(text.trim())).toBe(false);
          }
        },
      ),
      { numRuns: stories(250) },
    );
  });

  it.each([
    ['in an address', '!!!!%A', '!!!!%25A0'],
    ['in an address, twice', '!!!!%A', '!!!!%2525A0'],
    ['in HTML', '!!!!&l', '!!!!&amp;lt;'],
    ['in JSON', String.raw`!!!!\x`, String.raw`!!!!\\x41`],
  ])('is masked where its end and the next text combine into one character: %s', (_, value, text) => {
    expect(from(`before ${text} after`, value)).toMatch(/^before \\?••••[^!]{0,3} after$/);
  });

  it('is found in time, however a page pads it', () => {
    const pad = ' \u200b'.repeat(20_000);
    const text = ['K', 'e', 's', 't', 'r', 'X', 'e'].join(pad);
    expect(from(text, 'Kestrel & wing')).toBe(text);
    expect(from(`a${pad}b${pad}c${pad}x`, 'a b c d e f')).toContain('x');
  });

  it.each([
    ['taken apart (NFD)', 'Zürich-Gärten-1234', 'Zürich-Gärten-1234'.normalize('NFD')],
    ['put together (NFC)', 'Zürich-Gärten-1234'.normalize('NFD'), 'Zürich-Gärten-1234'],
    ['made plain (NFKD)', 'ｅﬃcient²-Gärten', 'ｅﬃcient²-Gärten'.normalize('NFKD')],
    ['made plain (NFKC)', 'ｅﬃcient²-Gärten', 'ｅﬃcient²-Gärten'.normalize('NFKC')],
    ['in bytes of Latin-1', 'Zürich-Gärten-1234', 'Z%FCrich-G%E4rten-1234'],
    ['in code units, as by escape()', 'Zürich-Łódź-1234', 'Z%FCrich-%u0141%F3d%u017A-1234'],
    ['in capitals, where ß is SS', 'Großstraße-99', 'GROSSSTRASSE-99'],
    ['in small letters, where İ is two', 'İstanbul-Kıyı', 'i̇stanbul-kıyı'],
    ['in wide letters', 'Kestrel-42', 'Ｋｅｓｔｒｅｌ－４２'],
    ['by names of HTML', 'Zürich(Gärten)', 'Z&uuml;rich&lpar;G&auml;rten&rpar;'],
    ['by code points of scripts', 'Zürich-1234', String.raw`Z\u{fc}rich-1234`],
    ['in HTML in an address', 'salt&pepper<7', encodeURIComponent('salt&amp;pepper&lt;7')],
    ['in JSON in HTML', 'say "Kestrel" 7', String.raw`say \&quot;Kestrel\&quot; 7`],
    ['without its own signs', 'DE89-3704-0044-x', 'DE8937040044x'],
    ['with other signs', 'qX7v-bN2l-mK9r', 'qX7v_bN2l/mK9r'],
  ])('%s', (_, value, text) => {
    expect(from(`before ${text} after`, value)).toBe('before •••• after');
  });

  it('is masked from six of its letters on, to the end of the word, because typing may end there and pages cut texts', () => {
    expect(from('No user begins with xqvzkwjy', 'xqvzkwjybpfgmdthrs')).toBe('No user begins with ••••');
    expect(from('xqvzkw, xqvzk and xqvz<b>kwjy</b>', 'xqvzkwjybpfgmdthrs')).toBe('••••, xqvzk and ••••<b></b>');
    expect(from('correct horse bat', 'correct horse battery')).toBe('••••');
    expect(from(btoa('xqvzkwjyb').slice(0, 12), 'xqvzkwjybpfgmdthrs')).toBe('••••');
    expect(from('41111111 and 4111111111111112', '4111111111111111')).toBe('•••• and ••••');
    expect(from('14111111', '4111111111111111')).toBe('14111111');
  });

  it('is masked from eight of its last letters on, back to the beginning of the word', () => {
    expect(from('Your key ends with zkwjybpfgmdthrs', 'xqvzkwjybpfgmdthrs')).toBe('Your key ends with ••••');
    expect(from('fgmdthrs, gmdthrs and <b>fgmdth</b>rs', 'xqvzkwjybpfgmdthrs')).toBe('••••, gmdthrs and <b>••••</b>');
    expect(from('orse battery', 'correct horse battery')).toBe('••••');
    expect(from(btoa('xqvzkwjybpfgmdthrs').slice(8), 'xqvzkwjybpfgmdthrs')).toBe('••••');
    expect(from('a9-Kestrel and 4', '52a9-Kestrel')).toBe('•••• and 4');
    expect(from('xqvzkwjybfgmdthrs', 'xqvzkwjybpfgmdthrs', 'or fgmdthrs')).toBe('••••');
    expect(from('it goes on: pfgmdthrsxyz', 'xqvzkwjybpfgmdthrs')).toBe('it goes on: ••••xyz');
  });

  it('does not mask ends of numbers and hosts of mail addresses, which pages show', () => {
    expect(from('111112 and 11112', '4111111111111112')).toBe('111112 and 11112');
    const address = 'ada.lovelace@bank.example';
    expect(from('We are bank.example. Mail hello@bank.example', address)).toBe(
      'We are bank.example. Mail hello@bank.example',
    );
    expect(from('.lovelace@bank.example', address)).toBe('.••••');
  });

  it('does not show how far a guess of its last letters is right, beyond eight of them', () => {
    const shown = ['a', 'b', 'p', 'bp', 'xp'].map((guess) => from(`<i>${guess}fgmdthrs</i>`, 'xqvzkwjybpfgmdthrs'));
    expect(new Set(shown)).toEqual(new Set(['<i>••••</i>']));
  });

  it('does not show how far a guess of letters in its middle is right', () => {
    for (let at = 1; at + 5 < 12; at += 1) {
      const part = 'xqvzkwjybpfgmdthrs'.slice(at, at + 6);
      expect(from(part, 'xqvzkwjybpfgmdthrs')).toBe(part);
    }
  });

  it('does not reveal how much of a guess is right, beyond the first six letters', () => {
    const shown = ['a', 'b', 'j', 'jy', 'jyb', 'jx'].map((guess) =>
      from(`<i>xqvzkw${guess}</i>`, 'xqvzkwjybpfgmdthrs'),
    );
    expect(new Set(shown)).toEqual(new Set(['<i>••••</i>']));
    const apart = ['a', 'b', 'j', 'jy'].map((guess) => from(`xqvzkw ${guess}`, 'xqvzkwjybpfgmdthrs'));
    expect(apart).toEqual(['•••• a', '•••• b', '•••• j', '•••• jy']);
  });

  it.each([
    ['a byte of an address', '%4', '1st&more-letters', encodeURIComponent('1st&more-letters')],
    ['an escape', '\\', String.raw`nest\seven-letters`, JSON.stringify(String.raw`nest\seven-letters`).slice(1, -1)],
    ['an entity', '&#4', '2;kestrel&', '2;kestrel&amp;'],
  ])('is hidden except for its first letters after the text they complete: %s', (_, before, value, text) => {
    expect(from(`see ${before}${text} there`, value)).toMatch(/^see [^ ]{0,4}•••• there$/v);
  });

  it.each([
    ['in an address', String.raw`CORP\tom%40corp.example`],
    ['in an address, twice', String.raw`CORP\tom%2540corp.example`],
    ['in HTML', String.raw`CORP\tom&#64;corp.example`],
  ])('is masked after a backslash that makes an escape of its first letter: %s', (_, text) => {
    expect(from(`before ${text} after`, 'tom@corp.example')).toBe(String.raw`before CORP\•••• after`);
  });

  it('is hidden before a text that completes its end', () => {
    expect(from(`${encodeURIComponent('abcde%')}41`, 'abcde%')).toBe('••••41');
  });

  it('is masked once when many values begin alike', () => {
    const values = Array.from({ length: 100 }, (_, at) => 'a'.repeat(6 + at));
    expect(createSecretMask(values)?.from('a'.repeat(100_000))).toBe('••••');
  });

  it('is located by the offsets of the original text', () => {
    const text = `one ${VALUE} two ${VALUE}`;
    expect(
      createSecretMask([VALUE])
        ?.places(text)
        .map(([start, end]) => text.slice(start, end)),
    ).toEqual([VALUE, VALUE]);
  });

  it('is masked before the text is cut, so the cut shows no part of it', () => {
    const hide = createSecretMask(['xqvzkwjybpfgmdthrs']);
    const text = 'key xqvzkwjybpfgmdthrs and more';
    const until = (end: number): [number, number][] => [[end, text.length]];
    expect(hide?.from(text, until(9))).toBe('key ••••');
    expect(hide?.from(text, until(4))).toBe('key ');
    expect(hide?.from(text, until(26))).toBe('key •••• and');
    expect(hide?.from(text, [[0, 10]])).toBe('•••• and more');
    expect(
      hide?.from(text, [
        [2, 6],
        [8, 22],
      ]),
    ).toBe('ke•••• and more');
  });

  it('leaves out very many cuts in very many values in one pass', () => {
    const many = hostileSize(100_000);
    const cuts = Array.from({ length: many }, (_, at): [number, number] => [at * 9 + 3, at * 9 + 5]);
    const shown = createSecretMask(['kestrel!'])?.from('kestrel! '.repeat(many), cuts) ?? '';
    expect(shown.replaceAll('•', '').trim()).toBe('');
  });

  it('is found only as a whole where that is requested', () => {
    const whole = createSecretMask(['xqvzkwjybpfgmdthrs'])?.whole;
    expect(whole?.from('https://xqvzkw.example/?q=xqvzkwjybpfgmdthrs')).toBe('https://xqvzkw.example/?q=••••');
    expect(whole?.places('xqvzkwjybpfgmdthr')).toEqual([]);
  });
});
