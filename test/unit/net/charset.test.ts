import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, type CharsetInput } from '#net/types/charset.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
/** Text whose characters are its bytes. */
const bytes = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));

function decoded(body: Uint8Array, headerLabel: string | null = null, markup: CharsetInput['markup'] = 'html') {
  const { text, charset } = decodeText({ bytes: body, headerLabel, markup });
  return `${charset}: ${text.replace(/<[^>]*>/g, '')}`;
}

const META_1251 = '<meta charset="windows-1251">';
/** "Привет" */
const RUSSIAN_1251 = '\xcf\xf0\xe8\xe2\xe5\xf2';

describe('declared charsets', () => {
  it('come from the byte order mark first', () => {
    expect(decoded(Uint8Array.from([0xef, 0xbb, 0xbf, ...utf8('é')]), 'iso-8859-1')).toBe('utf-8: é');
    expect(decoded(Uint8Array.from([0xff, 0xfe, 0x41, 0, 0xe9, 0]), 'utf-8')).toBe('utf-16le: Aé');
    expect(decoded(Uint8Array.from([0xfe, 0xff, 0, 0x41]))).toBe('utf-16be: A');
  });

  it('come from the header next, by any label the web knows', () => {
    expect(decoded(bytes(RUSSIAN_1251), 'CP1251')).toBe('windows-1251: Привет');
    expect(decoded(bytes('\x93\xfa\x96\x7b'), 'Shift_JIS')).toBe('shift_jis: 日本');
    expect(decoded(bytes('\xe9'), ' latin1 ')).toBe('windows-1252: é');
  });

  it('come from the page when the header has no charset, or an unknown one', () => {
    expect(decoded(bytes(META_1251 + RUSSIAN_1251))).toBe('windows-1251: Привет');
    expect(decoded(bytes(META_1251 + RUSSIAN_1251), 'x-nonsense')).toBe('windows-1251: Привет');
    expect(decoded(bytes(META_1251 + RUSSIAN_1251), 'utf-7')).toBe('windows-1251: Привет');
    expect(decoded(bytes(`<?xml version="1.0" encoding="windows-1251"?>${RUSSIAN_1251}`), null, 'xml')).toBe(
      'windows-1251: Привет',
    );
  });

  it('are found after a long start of the page, and not in text', () => {
    expect(decoded(bytes(`<!--${' '.repeat(2_000)}-->${META_1251}${RUSSIAN_1251}`))).toContain('Привет');
    expect(decoded(bytes(`${META_1251}\xe9`), null, 'none')).toBe('windows-1252: é');
  });
});

describe('declared charsets that the bytes contradict', () => {
  it('are replaced by UTF-8 if the bytes are valid UTF-8', () => {
    expect(decoded(utf8('Größe'), 'iso-8859-1')).toBe('utf-8: Größe');
    expect(decoded(utf8('<meta charset="iso-8859-1">Größe'))).toBe('utf-8: Größe');
    expect(decoded(utf8('日本語のページです、よろしく'), 'euc-jp')).toBe('utf-8: 日本語のページです、よろしく');
    expect(decoded(utf8('<meta charset="utf-8">日本'), 'gbk')).toBe('utf-8: 日本');
    expect(decoded(utf8('plain'), 'utf-16')).toBe('utf-8: plain');
  });

  it('are used when only a few bytes happen to look like UTF-8', () => {
    // "联通" in GBK is well-formed UTF-8, too.
    expect(decoded(bytes('\xc1\xaa\xcd\xa8'), 'gbk')).toBe('gbk: 联通');
    expect(decoded(utf8('plain'), 'windows-1251')).toBe('windows-1251: plain');
  });

  it('are replaced by the charset of the page when a server declares everything as UTF-8 or Latin', () => {
    expect(decoded(bytes(META_1251 + RUSSIAN_1251), 'utf-8')).toBe('windows-1251: Привет');
    expect(decoded(bytes(META_1251 + RUSSIAN_1251), 'iso-8859-1')).toBe('windows-1251: Привет');
    expect(decoded(bytes(`<meta charset="shift_jis">\xe9 `), 'iso-8859-1')).toBe('windows-1252: é ');
  });

  it('produce U+FFFD for undecodable bytes, never an exception', () => {
    expect(decoded(bytes('ok \xff\xfe end'), 'utf-8')).toBe('utf-8: ok \ufffd\ufffd end');
    expect(decoded(bytes('<meta charset=utf-8>caf\xe9'))).toBe('utf-8: caf\ufffd');
    expect(decoded(utf8('€').subarray(0, 2), 'utf-8')).toBe('utf-8: \ufffd');
  });
});

describe('undeclared charsets', () => {
  it('are UTF-8 if the bytes are, and otherwise windows-1252', () => {
    expect(decoded(utf8('Größe'))).toBe('utf-8: Größe');
    expect(decoded(bytes('Gr\xf6\xdfe \x96 \x80'))).toBe('windows-1252: Größe – €');
    expect(decoded(new Uint8Array(0))).toBe('utf-8: ');
  });

  it('are UTF-16 if every other byte is zero', () => {
    const le = Array.from('Some words', (char) => [char.charCodeAt(0), 0]).flat();
    expect(decoded(Uint8Array.from(le), null, 'none')).toBe('utf-16le: Some words');
    expect(decoded(Uint8Array.from([0, ...le.slice(0, -1)]), null, 'none')).toBe('utf-16be: Some words');
  });

  it.each([
    // "これはペンです。" in two charsets, "我们在这里学习中文。", "我們在這裡學習中文。", "나는 한국어를 배우고 있다", "Сегодня хорошая погода" in two.
    ['shift_jis', '\x82\xb1\x82\xea\x82\xcd\x83y\x83\x93\x82\xc5\x82\xb7\x81B', 'これはペンです。'],
    ['euc-jp', '\xa4\xb3\xa4\xec\xa4\xcf\xa5\xda\xa5\xf3\xa4\xc7\xa4\xb9\xa1\xa3', 'これはペンです。'],
    [
      'gb18030',
      '\xce\xd2\xc3\xc7\xd4\xda\xd5\xe2\xc0\xef\xd1\xa7\xcf\xb0\xd6\xd0\xce\xc4\xa1\xa3',
      '我们在这里学习中文。',
    ],
    ['big5', '\xa7\xda\xad\xcc\xa6b\xb3o\xb8\xcc\xbe\xc7\xb2\xdf\xa4\xa4\xa4\xe5\xa1C', '我們在這裡學習中文。'],
    [
      'euc-kr',
      '\xb3\xaa\xb4\xc2 \xc7\xd1\xb1\xb9\xbe\xee\xb8\xa6 \xb9\xe8\xbf\xec\xb0\xed \xc0\xd6\xb4\xd9',
      '나는 한국어를 배우고 있다',
    ],
    [
      'windows-1251',
      '\xd1\xe5\xe3\xee\xe4\xed\xff \xf5\xee\xf0\xee\xf8\xe0\xff \xef\xee\xe3\xee\xe4\xe0',
      'Сегодня хорошая погода',
    ],
    [
      'koi8-r',
      '\xf3\xc5\xc7\xcf\xc4\xce\xd1 \xc8\xcf\xd2\xcf\xdb\xc1\xd1 \xd0\xcf\xc7\xcf\xc4\xc1',
      'Сегодня хорошая погода',
    ],
  ])('are recognised as %s by their letters, also under a wrong default label', (charset, body, text) => {
    expect(decoded(bytes(body))).toBe(`${charset}: ${text}`);
    expect(decoded(bytes(body), 'utf-8')).toBe(`${charset}: ${text}`);
    expect(decoded(bytes(body), 'iso-8859-1')).toBe(`${charset}: ${text}`);
  });

  it.each([
    'D\xe9j\xe0 vu, \xe7a c\x92est tr\xe8s g\xean\xe9',
    'Perch\xe9 no? \xc8 cos\xec, citt\xe0',
    '\xc5 \xe5pne d\xf8ren p\xe5 gl\xf8tt',
    '\xa9 2026 \xfcber \xe4hnliche M\xf6glichkeiten',
  ])('are not mistaken for foreign ones in Western text: %j', (body) => {
    expect(decoded(bytes(body))).toMatch(/^windows-1252: /);
  });

  it('never cause a failure, whatever the bytes and labels', () => {
    const label = fc.option(
      fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom('utf-8', 'gbk', 'utf-16', 'iso-2022-kr', 'big5')),
    );
    const markup = fc.constantFrom<CharsetInput['markup']>('html', 'xml', 'none');
    const holds = fc.property(fc.uint8Array({ maxLength: 120 }), label, markup, (body, header, kind) => {
      return typeof decodeText({ bytes: body, headerLabel: header, markup: kind }).text === 'string';
    });
    expect(() => fc.assert(holds, { numRuns: 1_000 })).not.toThrow();
  });
});

/** The bytes of a text in a charset with one byte a letter. */
function encoded(charset: string, text: string): Uint8Array {
  const letters = new TextDecoder(charset).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
  return Uint8Array.from(text, (letter) => letters.indexOf(letter));
}

describe('undeclared text with one byte per letter', () => {
  it.each([
    [
      'windows-1253',
      'Η πόλη έχει ένα μεγάλο λιμάνι και πολλοί άνθρωποι εργάζονται εκεί κάθε μέρα. Τα πλοία φέρνουν εμπορεύματα από όλο τον κόσμο.',
    ],
    ['windows-1255', 'לעיר יש נמל גדול ואנשים רבים עובדים בו בכל יום. האוניות מביאות סחורות מכל העולם.'],
    [
      'windows-1256',
      'المدينة لديها ميناء كبير ويعمل فيه كثير من الناس كل يوم. السفن تجلب البضائع من جميع أنحاء العالم.',
    ],
    ['iso-8859-6', 'المدينة لديها ميناء كبير ويعمل فيه كثير من الناس كل يوم. السفن تجلب البضائع.'],
    ['windows-874', 'เมืองนี้มีท่าเรือขนาดใหญ่และมีคนจำนวนมากทำงานที่นั่นทุกวัน'],
    [
      'windows-1250',
      'Miasto ma duży port, w którym każdego dnia pracuje wielu ludzi. Statki przywożą towary z całego świata. Można tam kupić świeże ryby i śledzie.',
    ],
    [
      'iso-8859-2',
      'Miasto ma duży port, w którym każdego dnia pracuje wielu ludzi. Statki przywożą towary z całego świata. Można tam kupić świeże ryby i śledzie.',
    ],
    [
      'windows-1250',
      'Město má velký přístav, ve kterém každý den pracuje mnoho lidí. Lodě přivážejí zboží z celého světa. Přijďte se podívat na čerstvé ryby.',
    ],
    [
      'windows-1254',
      'Şehrin büyük bir limanı var ve her gün orada çok insan çalışıyor. Gemiler dünyanın her yerinden mal getiriyor. Balık çok ucuz değil.',
    ],
    [
      'windows-1257',
      'Pilsētai ir liela osta, kurā katru dienu strādā daudz cilvēku. Kuģi atved preces no visas pasaules.',
    ],
    ['windows-1251', 'У місті є великий порт, де щодня працює багато людей. Кораблі привозять товари з усього світу.'],
    [
      'koi8-r',
      'В городе есть большой порт, где каждый день работает много людей. Корабли привозят товары со всего мира.',
    ],
    [
      'windows-1252',
      'La ville possède un grand port où travaillent chaque jour de très nombreuses personnes. Les navires apportent des marchandises du monde entier, même l’été.',
    ],
    [
      'windows-1252',
      'Die Stadt hat einen großen Hafen, in dem jeden Tag viele Menschen arbeiten. Die Schiffe bringen Güter aus aller Welt. Schöne Grüße aus München.',
    ],
    [
      'windows-1252',
      'A cidade tem um grande porto onde muitas pessoas trabalham todos os dias. Não há mais informações sobre a situação. Avião e coração.',
    ],
    [
      'windows-1252',
      'La ciudad tiene un puerto grande donde trabaja mucha gente todos los días. ¿Qué más? El año próximo habrá más pequeños barcos.',
    ],
  ])('is read as %s, and reported as a guess: %s', (charset, text) => {
    const body = encoded(charset, `<html><title>page</title><p>${text}</p>`);
    const read = decodeText({ bytes: body, headerLabel: null, markup: 'html' });
    expect(read.text).toContain(text);
    expect(read.isGuessed).toBe(true);
  });

  it('is not a guess if the page or its bytes name the charset', () => {
    const guessed = (body: Uint8Array, headerLabel: string | null) =>
      decodeText({ bytes: body, headerLabel, markup: 'html' }).isGuessed;
    expect(guessed(utf8('λιμάνι'), null)).toBe(false);
    expect(guessed(utf8('plain'), null)).toBe(false);
    expect(guessed(encoded('windows-1253', 'λιμάνι'), 'windows-1253')).toBe(false);
  });

  it('keeps its Latin label if accents could be letters of another language', () => {
    const polish = encoded('windows-1250', 'Miasto ma duży port, w którym każdego dnia pracuje wielu ludzi.');
    expect(decodeText({ bytes: polish, headerLabel: 'iso-8859-1', markup: 'html' }).charset).toBe('windows-1252');
  });
});
