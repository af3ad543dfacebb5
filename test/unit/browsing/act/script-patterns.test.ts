import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EVALUATED_SCRIPT_CHARS_MAX } from '#tools/limits.ts';
import { findBlockedPattern } from '#browsing/act/evaluate.ts';

const REFUSED: readonly (readonly [script: string, name: string])[] = [
  ["eval('1')", 'eval'],
  ['eval (x)', 'eval'],
  ['eval/* a comment */(x)', 'eval'],
  ['eval // a comment\n(x)', 'eval'],
  ['\\u0065val(x)', 'eval'],
  ['\\u{65}val(x)', 'eval'],
  ["window['eval'](x)", 'eval'],
  ["window['ev' + 'al'](x)", 'eval'],
  ["window['\\x65val'](x)", 'eval'],
  ['(0, eval)(x)', 'eval'],
  ['eval?.(x)', 'eval'],
  ['const run = window.eval; run(x)', 'eval'],
  ["new Function('return 1')()", 'Function('],
  ['Function\n(x)', 'Function('],
  ['Function/**/(x)', 'Function('],
  ['Function`return 1`', 'Function('],
  ['Function.call(null, x)', 'Function('],
  ['[].constructor.constructor(x)', 'Function('],
  ['document.cookie', 'document.cookie'],
  ['document . cookie', 'document.cookie'],
  ['document\n  .cookie', 'document.cookie'],
  ['document?.cookie', 'document.cookie'],
  ['document/**/./**/cookie', 'document.cookie'],
  ['document["cookie"]', 'document.cookie'],
  ["document[ 'cook' + 'ie' ]", 'document.cookie'],
  ['document[`cookie`]', 'document.cookie'],
  ['document.cooki\\u0065', 'document.cookie'],
  ['const { cookie } = document', 'document.cookie'],
  ['cookieStore.getAll()', 'document.cookie'],
  ["localStorage.getItem('token')", 'localStorage'],
  ['window.localStorage', 'localStorage'],
  ["window['local' + 'Storage']", 'localStorage'],
  ['loc\\u0061lStorage', 'localStorage'],
  ['local\u200bStorage', 'localStorage'],
  ['sessionStorage.length', 'sessionStorage'],
  ["'http://x.example'; sessionStorage/**/.clear()", 'sessionStorage'],
];

const ALLOWED = [
  'document.title',
  "[...document.querySelectorAll('h2')].map((heading) => heading.textContent)",
  'const total = 1 + 1; total',
  'typeof document.body === "object"',
  '(element) => element.getBoundingClientRect().width',
  "await fetch('/api/items').then((response) => response.json())",
  'performance.getEntries().length',
  'window.retrieval = 1',
  "document.querySelector('.cookie-banner').remove()",
];

describe('the constructs that a script may not name', () => {
  it.each(REFUSED)('refuses %s', (script, name) => {
    expect(findBlockedPattern(script)).toBe(name);
  });

  it.each(ALLOWED)('lets %s through', (script) => {
    expect(findBlockedPattern(script)).toBeNull();
  });

  it('finds each one in any place of a script', () => {
    const places = fc.tuple(fc.constantFrom(...REFUSED), fc.constantFrom(...ALLOWED), fc.constantFrom(...ALLOWED));
    fc.assert(
      fc.property(places, ([[script], before, after]) => {
        expect(findBlockedPattern(`${before};\n${script}\n;${after}`)).not.toBeNull();
      }),
    );
  });

  it.each([' ', '/*', 'cookie,', "'a'+", '[', 'eval ', '?.', "['"])('reads %j repeated to the limit', (piece) => {
    expect(
      findBlockedPattern(piece.repeat(EVALUATED_SCRIPT_CHARS_MAX / piece.length).replaceAll('eval', 'evil')),
    ).toBeNull();
  });
});
