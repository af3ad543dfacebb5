import { describe, expect, it } from 'vitest';
import {
  fillFields,
  createFillProgress,
  addFillProgressToReply,
} from '#browsing/session/operations/filling/fill-fields.ts';
import { viewTabOnRequest } from '#browsing/session/operations/look-operations.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { describeFailure } from '#core/failures/describe-failure.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import { inPage } from '#support/page-calls.ts';
import { sessionOn } from '#support/session-work.ts';

const TEXTS = '<input id="a" aria-label="A"><input id="b" aria-label="B"><input id="c" aria-label="C">';
const COUNTRY = `<select id="country"><option>Choose<option>Norway<option>Chile</select><select id="region"></select>
  <input id="town">`;
const fillRegion = `region.innerHTML = country.value === 'Norway' ? '<option>North<option>South' : '<option>Valle'`;

const PAGES: Record<string, string> = {
  '/plain': `${TEXTS}<input id="box" type="checkbox"><input id="day" type="date">
    <select id="list"><option>One<option>Two</select><input id="off" disabled>`,
  '/at-once': `${COUNTRY}<script>country.onchange = () => { ${fillRegion} }</script>`,
  '/asks': `${COUNTRY}<script>country.onchange = async () => { await fetch('/regions'); ${fillRegion} }</script>`,
  '/regions': 'of no account',
  '/late': `${COUNTRY}<script>country.onchange = () => setTimeout(() => { ${fillRegion} }, 700)</script>`,
  '/appears': `<input id="a"><div id="rest"></div><script>
    a.oninput = () => setTimeout(() => { rest.innerHTML = '<input id="b">' }, 500)</script>`,
  '/clears': `${TEXTS}<script>c.oninput = () => setTimeout(() => { a.value = 'cleared'; b.remove() }, 20)</script>`,
  '/resets-list': `<select id="list"><option>One<option>Two</select><input id="a"><script>
    a.oninput = () => { list.value = 'One' }</script>`,
  '/replaces': `${TEXTS}<script>a.oninput = () => { b.outerHTML = b.outerHTML }</script>`,
  '/scrolls': `<div style="height: 3000px"></div><div id="box"><input id="a"><input id="b" type="checkbox"></div>
    <script>onscroll = () => { onscroll = null; box.innerHTML = box.innerHTML }</script>`,
  '/goes': `${TEXTS}<form action="/plain"></form><script>a.oninput = () => document.forms[0].submit()</script>`,
  '/twins': `<table>${['Apples', 'Pears', 'Plums'].map((name, at) => `<tr><td>${name}<td><input id="n${at}" aria-label="How many">`).join('')}</table>`,
  '/rows': `<table><tr><td><input type="checkbox" aria-label="Select"><td>Meteor<tr><td><input type="checkbox" aria-label="Select"><td>Kestrel
    <td><input type="checkbox" aria-label="Active"></table><ul role="menu"><li role="menuitem"><input type="checkbox"> Late</ul>`,
  '/tasks': `<ul>${['Buy milk', 'Pay rent'].map((task) => `<li><input type="checkbox"> <span>${task}</span> <button>×</button>`).join('')}</ul>`,
  '/hangs': `${TEXTS}<script>b.oninput = () => { for (;;) {} }</script>`,
};

const workOn = sessionOn(PAGES);
const TASK = [['"Buy milk"', 'true']] as const;

type Given = readonly (readonly [selector: string, value: string])[];

function given(fields: Given) {
  return { targets: fields.map(([selector]) => selector), values: fields.map(([, value]) => value), snapshot: false };
}

async function fillIn(work: OperationWork, fields: Given) {
  const input = given(fields);
  return fillFields(work, input, createFillProgress(input));
}

/** The failure of a call, as its caller receives it. */
async function failureOf(work: OperationWork, fields: Given): Promise<Failure> {
  const input = given(fields);
  const filling = createFillProgress(input);
  const error: unknown = await fillFields(work, input, filling).catch((thrown: unknown) => thrown);
  const failure: Failure =
    error instanceof PeriscopeError ? error.failure : { code: 'timeout', what: 'The page', afterMs: 1 };
  const told = addFillProgressToReply({ failure }, filling);
  return 'failure' in told ? told.failure : { code: 'unknown_snapshot' };
}

const valuesOf = (work: OperationWork, ...ids: string[]) =>
  Promise.all(ids.map((id) => inPage(work.tab, `document.querySelector('#${id}').value`)));

describe('filling several fields in one call', () => {
  it('sets each to its value, whatever its type', async () => {
    const work = await workOn('/plain');
    const { fields } = await fillIn(work, [
      ['#a', 'one'],
      ['#list', 'Two'],
      ['#b', 'two'],
      ['#box', 'TRUE'],
      ['#day', '2027-05-14'],
    ]);
    expect(fields.map(({ target: selector, value, differs, isThere }) => [selector, value, differs, isThere])).toEqual([
      ['#a', 'one', false, true],
      ['#list', 'Two', false, true],
      ['#b', 'two', false, true],
      ['#box', 'true', false, true],
      ['#day', '2027-05-14', false, true],
    ]);
  });

  it.each(['/at-once', '/asks', '/late'])('fills a list that depends on the choice before it: %s', async (path) => {
    const work = await workOn(path);
    const { fields } = await fillIn(work, [
      ['#country', 'Norway'],
      ['#region', 'South'],
      ['#town', 'Bergen'],
    ]);
    expect(fields.map(({ value }) => value)).toEqual(['Norway', 'South', 'Bergen']);
    expect(await valuesOf(work, 'country', 'region', 'town')).toEqual(['Norway', 'South', 'Bergen']);
  });

  it('fills a field that an earlier one adds', async () => {
    const work = await workOn('/appears');
    const { fields } = await fillIn(work, [
      ['#a', 'more'],
      ['#b', 'here'],
    ]);
    expect(fields.map(({ value }) => value)).toEqual(['more', 'here']);
  });

  it('sets the only box of a row or an item, and is refused if there are several', async () => {
    const work = await workOn('/rows');
    const { fields } = await fillIn(work, [
      ['row "Meteor"', 'true'],
      ['menuitem "Late"', 'true'],
    ]);
    expect(fields).toMatchObject([
      { kind: 'check', value: 'true' },
      { kind: 'check', value: 'true' },
    ]);
    expect(await inPage(work.tab, '[...document.querySelectorAll("input")].map((box) => box.checked).join()')).toBe(
      'true,false,false,true',
    );
    const failure = await failureOf(work, [['row "Kestrel"', 'true']]);
    expect(failure).toMatchObject({
      code: 'invalid_argument',
      problem: 'holds 2 boxes, and one of them has to be meant',
    });
  });

  it('names the box of an item whose text was given instead, and the argument that the call has', async () => {
    const work = await workOn('/tasks');
    const [listed, filled] = [await failureOf({ ...work, isListed: true }, TASK), await failureOf(work, TASK)];
    expect(listed).toMatchObject({ field: 'selector', hint: 'Pass the check box instead: checkbox in "Buy milk".' });
    expect(filled).toMatchObject({ field: 'selectors', hint: 'Pass the check box instead: checkbox in "Buy milk".' });
    const { fields } = await fillIn(work, [['checkbox in "Buy milk"', 'true']]);
    expect(fields).toMatchObject([{ kind: 'check', value: 'true' }]);
  });

  it('finds several fields of a form by their labels', async () => {
    const work = await workOn('/plain');
    const { fields } = await fillIn(work, [
      ['"A"', 'one'],
      ['"B"', 'two'],
    ]);
    expect(fields.map(({ value }) => value)).toEqual(['one', 'two']);
    expect(await valuesOf(work, 'a', 'b')).toEqual(['one', 'two']);
  });

  it('finds each of several fields with the same name by its ref', async () => {
    const work = await workOn('/twins');
    const { text } = await viewTabOnRequest(work, {});
    const refs = text.match(/@e\d+(?= textbox| How)/g) ?? [];
    await fillIn(
      work,
      refs.map((ref, at) => [ref, `${at + 3}`]),
    );
    expect(await valuesOf(work, 'n0', 'n1', 'n2')).toEqual(['3', '4', '5']);
  });

  it('reports if the page changes a field after it was filled', async () => {
    const work = await workOn('/clears');
    const { fields } = await fillIn(work, [
      ['#a', 'one'],
      ['#b', 'two'],
      ['#c', 'three'],
    ]);
    expect(fields).toMatchObject([
      { target: '#a', value: 'cleared', differs: true, isThere: true },
      { target: '#b', isThere: false },
      { target: '#c', value: 'three', differs: false, isThere: true },
    ]);
  });

  it('reports if the page reverts a choice', async () => {
    const work = await workOn('/resets-list');
    const { fields } = await fillIn(work, [
      ['#list', 'Two'],
      ['#a', 'x'],
    ]);
    expect(fields).toMatchObject([
      { value: 'One', differs: true },
      { value: 'x', differs: false },
    ]);
  });
});

describe('a call with a field that cannot be set', () => {
  it.each([
    ['#off', 'element_not_usable', 'disabled'],
    ['#none', 'element_not_found', 'No element matches'],
    ['#list', 'invalid_argument', 'values: the list has no such option'],
    ['#a, #b', 'invalid_argument', 'selectors: matches 2 elements'],
  ])('ends at %s, reports the fields set before, and does not touch the others', async (selector, code, words) => {
    const work = await workOn('/plain');
    const failure = await failureOf(work, [
      ['#a', 'one'],
      ['#b', 'two'],
      [selector, 'Three'],
      ['#c', 'never'],
    ]);
    const { error, message, hint, extra } = describeFailure(failure);
    expect(error).toBe(code);
    expect(message).toContain(`Field 3 of 4 (${selector}): `);
    expect(message).toContain(words);
    expect(hint).toContain('The fields before it are already set. Continue with this field.');
    expect(extra['fields_set']).toEqual(['#a', '#b']);
    expect(await valuesOf(work, 'a', 'b', 'c')).toEqual(['one', 'two', '']);
  });

  it('reports that nothing is set if the field is the first', async () => {
    const work = await workOn('/plain');
    const failure = await failureOf(work, [
      ['#none', 'one'],
      ['#b', 'two'],
    ]);
    const { message, hint, extra } = describeFailure(failure);
    expect(message).toMatch(/^Field 1 of 2 \(#none\): /);
    expect(hint).toContain('This call set no field.');
    expect(extra).not.toHaveProperty('fields_set');
    expect(extra).not.toHaveProperty('snapshot');
  });

  it('checks each ref just before its field is set', async () => {
    const work = await workOn('/goes');
    const { text } = await viewTabOnRequest(work, {});
    const [a = '', b = ''] = text.match(/@e\d+/g) ?? [];
    const failure = await failureOf(work, [
      [a, 'one'],
      [b, 'two'],
    ]);
    expect(failure).toMatchObject({ code: 'stale_ref', ref: b, filling: { at: b, set: [a], total: 2 } });
    const shown = 'alike' in failure ? failure.alike : 'snapshot' in failure ? failure.snapshot : '';
    expect(shown).toContain('textbox "B"');
    expect(await valuesOf(work, 'b')).toEqual(['']);
  });

  it('sets a field that was redrawn while the previous one was set', async () => {
    const work = await workOn('/replaces');
    const { text } = await viewTabOnRequest(work, {});
    const [a = '', b = ''] = text.match(/@e\d+/g) ?? [];
    await fillIn(work, [
      [a, 'one'],
      [b, 'two'],
    ]);
    expect(await valuesOf(work, 'a', 'b')).toEqual(['one', 'two']);
  });

  it.each([
    ['#a', 'one', 'a.value'],
    ['#b', 'true', 'String(b.checked)'],
  ])('sets a field that the page redraws as it is scrolled into view: %s', async (selector, value, held) => {
    const work = await workOn('/scrolls');
    await fillIn(work, [[selector, value]]);
    expect(await inPage(work.tab, held)).toBe(value);
  });

  it('does not continue in another tab', async () => {
    const [work, other] = [await workOn('/plain'), await workOn('/plain')];
    const { text } = await viewTabOnRequest({ ...other, active: work.active }, {});
    const [there = ''] = text.match(/@e\d+/g) ?? [];
    const failure = await failureOf(work, [
      ['#a', 'one'],
      [there, 'two'],
    ]);
    expect(failure).toMatchObject({ code: 'invalid_argument', field: 'selectors', filling: { set: ['#a'] } });
    expect(await valuesOf(other, 'a')).toEqual(['']);
  });

  it('reports the fields that were set when the page begins to hang', async () => {
    const work = await workOn('/hangs', AbortSignal.timeout(8_000));
    const failure = await failureOf(work, [
      ['#a', 'one'],
      ['#b', 'two'],
      ['#c', 'three'],
    ]);
    expect(describeFailure(failure)).toMatchObject({
      error: 'timeout',
      message: expect.stringMatching(/^Field 2 of 3 \(#b\): /),
      extra: { fields_set: ['#a'] },
    });
  });
});
