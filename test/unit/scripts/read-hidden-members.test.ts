import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { readHiddenMembers } from '#scripts/page-scripts/read-hidden-members.ts';

/** A form whose fields hide all its members, and its own functions, as in `in-page/elements/hidden-members.ts`. */
const DOM = `
class HTMLFormElement {
  get id() { return 'f' }
  get children() { return ['a', 'b'] }
  get parentElement() { return this.outer ?? null }
  closest(selector) { return this.seen = selector, this }
}
const document = {};
const hide = (form) => new Proxy(form, {
  get: (of, name) => (name in HTMLFormElement.prototype && name !== 'constructor' ? 'hidden' : Reflect.get(of, name)),
  getPrototypeOf: () => HTMLFormElement.prototype,
});
const form = hide(Object.assign(new HTMLFormElement(), { outer: hide(new HTMLFormElement()) }));
const plain = { id: 'p', children: [1], closest: (selector) => selector, parentElement: null };
function hidesMembers(object) { return object instanceof HTMLFormElement || object === document }
function readHiddenMember(object, name) { return Reflect.get(HTMLFormElement.prototype, name, object) }
function withMembers(object) { return hidesMembers(object) ? { id: 'f', children: ['a', 'b'] } : object }
`;

const run = (code: string): unknown => runInNewContext(readHiddenMembers(`${DOM}\n${code}`));

describe('a DOM member in a page script', () => {
  it.each([
    ['form.id', 'f'],
    ['plain.id', 'p'],
    ['form.children.length', 2],
    ['form.closest("ul").seen', 'ul'],
    ['plain.closest("ul").length', 2],
    ['form.parentElement.parentElement', null],
    ['form?.parentElement?.id', 'f'],
    ['plain.parentElement?.id.length', undefined],
    ['plain.parentElement?.closest(plain.id).id', undefined],
    ['plain.nothing?.(form.id).id ?? form.id', 'f'],
    ['plain.closest?.(form.id)', 'f'],
    ['[form, plain].map((one) => one.id).join()', 'f,p'],
    ['[form, plain].map(({ id }) => id).join()', 'f,p'],
    ['[form, plain].map(({ id, children }, at) => ({ at, text: id + children.length })).at(1).text', 'p1'],
    ['[form, plain].reduce((text, { id }) => text + id, "")', 'fp'],
    ['(() => { const { id: own, children: [first] } = form; return own + first })()', 'fa'],
    ['(() => { let text = ""; for (const { id } of [form, plain]) text += id; return text })()', 'fp'],
    ['(() => { let text = ""; for (const one of [form, plain]) { text += one.id } return text })()', 'fp'],
    ['(() => { plain.title = form.id; plain.title += "!"; return plain.title })()', 'f!'],
    ['(function () { return this.id }).call(form)', 'f'],
    ['`${form.id}-${plain.id}`', 'f-p'],
    ['typeof form.closest', 'function'],
    ['form[plain.id === "p" ? "outer" : ""].id', 'f'],
    ['new String(form.id).valueOf()', 'f'],
    ['(form.id, [...form.children, form.id]).join("")', 'abf'],
    ['[1, 2, 3].length + "é".normalize("NFD").length', 5],
    [
      '(() => { const at = (one) => one.parentElement === null ? one.id : at(one.parentElement); return at(form) })()',
      'f',
    ],
  ])('is read where a field hides it: %s', (code, value) => {
    expect(run(code)).toBe(value);
  });

  it.each([
    'const f = ({ id } = {}) => id',
    'const { outer: { id } } = form',
    '({ id: self.text } = form)',
    'form.append`x`',
  ])('is refused where it could be hidden: %s', (code) => {
    expect(() => readHiddenMembers(code)).toThrow('Take DOM members');
  });
});
