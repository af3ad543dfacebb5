import { describe, expect, it } from 'vitest';
import { PeriscopeError } from '#core/failures/failure.ts';
import { parseStepLines } from '#browsing/session/steps/step-lines.ts';

const click = { kind: 'click', button: 'left', clickCount: 1, modifiers: [] };
const keys = { kind: 'type', target: undefined, text: undefined, key: undefined, submit: false, slowly: false };
const hover = { kind: 'point', action: 'hover', to: null, modifiers: [], holdMs: 0 };
const scroll = { kind: 'scroll', target: undefined, direction: 'down', amount: 1, unit: 'pages', intoView: false };
const fill = (target: string, value: string) => ({ kind: 'fill', target, value });
const wait = (kind: string, value: string, isGone = false) => ({ kind: 'wait', wanted: { kind, value, isGone } });
const there = (kind: string, value: string, isGone = false) => ({ kind: 'expect', wanted: { kind, value, isGone } });
const asked = (target: string, of: string, is: string, isNot = false) => ({
  kind: 'expect',
  target,
  asked: { of, is, isNot },
});

const LINES: readonly (readonly [line: string, step: object])[] = [
  ['click @e12', { ...click, target: '@e12' }],
  ['click button "Save"', { ...click, target: 'button "Save"' }],
  ['click 403,474', { ...hover, action: 'click', at: { pixel: { x: 403, y: 474 } } }],
  ['click at (403, 474.5)', { ...hover, action: 'click', at: { pixel: { x: 403, y: 474.5 } } }],
  ['double-click 403, 0', { ...hover, action: 'double_click', at: { pixel: { x: 403, y: 0 } } }],
  ['right-click x=3, y=4', { ...hover, action: 'right_click', at: { pixel: { x: 3, y: 4 } } }],
  ['hover 403,474', { ...hover, at: { pixel: { x: 403, y: 474 } } }],
  [
    'drag 10,20 to 30,40',
    { ...hover, action: 'drag', at: { pixel: { x: 10, y: 20 } }, to: { pixel: { x: 30, y: 40 } } },
  ],
  ['drag @e3 to 30,40', { ...hover, action: 'drag', at: { target: '@e3' }, to: { pixel: { x: 30, y: 40 } } }],
  ['click 1,000', { ...click, target: '1,000' }],
  ['click "403,474"', { ...click, target: 'text="403,474"' }],
  ['type one\n', { ...keys, text: 'one\n' }],
  ['type "one"\n', { ...keys, text: 'one\n' }],
  ['type one\ntwo\n\n', { ...keys, text: 'one\ntwo\n\n' }],
  ['type "one\n" into "Name"', { ...keys, target: '"Name"', text: 'one\n' }],
  ['type one\n into "Name"', { ...keys, target: '"Name"', text: 'one\n' }],
  ['type one into "Name"\n', { ...keys, target: '"Name"', text: 'one\n' }],
  ['click @e12\n', { ...click, target: '@e12' }],
  ['Click the "Save" button', { ...click, target: 'button "Save"' }],
  ["click button 'Save' nth=2", { ...click, target: 'button "Save" nth=2' }],
  ['click button "Remove" in "Touch key"', { ...click, target: 'button "Remove" in "Touch key"' }],
  ['click the button "Remove" in row "Touch key"', { ...click, target: 'button "Remove" in row "Touch key"' }],
  ['click checkbox in "Order 17"', { ...click, target: 'checkbox in "Order 17"' }],
  ['click button in row "Order 17"', { ...click, target: 'button in row "Order 17"' }],
  ['click the button in the row "Order 17"', { ...click, target: 'button in row "Order 17"' }],
  ['click button in row Order 17', { ...click, target: 'button in row "Order 17"' }],
  ['click checkbox nth=2', { ...click, target: 'checkbox nth=2' }],
  ['check checkbox in row "Order 17" nth=2', fill('checkbox nth=2 in row "Order 17"', 'true')],
  ['fill textbox in row "Order 17" = 3', fill('textbox in row "Order 17"', '3')],
  ['click Save in dialog "Edit user"', { ...click, target: 'text="Save" in dialog "Edit user"' }],
  ['click "Remove" in "Touch key"', { ...click, target: 'text="Remove" in "Touch key"' }],
  ['click .save nth=2', { ...click, target: '.save nth=2' }],
  ['click .save nth=2 in "Order 17"', { ...click, target: '.save nth=2 in "Order 17"' }],
  ['click ul > li.open in row "Order 17" nth=3', { ...click, target: 'ul > li.open in row "Order 17" nth=3' }],
  ['click li in "Order 17"', { ...click, target: 'li in "Order 17"' }],
  ['fill .name nth=2 = 3', fill('.name nth=2', '3')],
  ['fill input.name in "Order 17" = 3', fill('input.name in "Order 17"', '3')],
  ['type "one" into .name nth=2', { ...keys, target: '.name nth=2', text: 'one' }],
  ['click button Save changes', { ...click, target: 'button "Save changes"' }],
  ['click on "Save"', { ...click, target: 'text="Save"' }],
  ['click Save changes', { ...click, target: 'text="Save changes"' }],
  ['1. click text=Save', { ...click, target: 'text=Save' }],
  ['click text=/Order 1[78]/', { ...click, target: 'text=/Order 1[78]/' }],
  ['click /Order 1[78]/', { ...click, target: 'text=/Order 1[78]/' }],
  ['click button "/^Pay/"', { ...click, target: 'button "/^Pay/"' }],
  ['wait text=/Saved \\d+/', wait('text', '/Saved \\d+/')],
  ['expect /Saved/i', there('text', '/Saved/i')],
  ['- click #go', { ...click, target: '#go' }],
  ['click Search results', { ...click, target: 'text="Search results"' }],
  ['tap @e3', { ...click, target: '@e3' }],
  ['click clickable (3rd of 5)', { ...click, target: 'clickable (3rd of 5)' }],
  ['double-click @e3', { ...click, target: '@e3', clickCount: 2 }],
  ['right click @e3', { ...click, target: '@e3', button: 'right' }],
  ['fill textbox "Name" = Ann', fill('textbox "Name"', 'Ann')],
  ['fill textbox "Name" = "Ann B."', fill('textbox "Name"', 'Ann B.')],
  ['fill textbox "Name" in "Row 2" = Ann', fill('textbox "Name" in "Row 2"', 'Ann')],
  ['fill "Name" in "Row 2" = Ann', fill('"Name" in "Row 2"', 'Ann')],
  ['fill @e12=Ann', fill('@e12', 'Ann')],
  ['fill @e12 with Ann', fill('@e12', 'Ann')],
  ['fill @e12 Ann', fill('@e12', 'Ann')],
  ['fill "Name" "Ann"', fill('"Name"', 'Ann')],
  ['fill in Name = a = b', fill('"Name"', 'a = b')],
  ['fill First name: Ann', fill('"First name"', 'Ann')],
  ['fill textbox "a = b" = c', fill('textbox "a = b"', 'c')],
  ['fill [name="q"] = x', fill('[name="q"]', 'x')],
  ['fill input[name=q] = x', fill('input[name=q]', 'x')],
  ['fill textbox "Password" = secret:shop', fill('textbox "Password"', 'secret:shop')],
  ['fill @e1 =', fill('@e1', '')],
  ['set @e1 to 5', fill('@e1', '5')],
  ['enter "Ann" into textbox "Name"', fill('textbox "Name"', 'Ann')],
  ['clear textbox "Name"', fill('textbox "Name"', '')],
  ['type textbox "Name" = Ann', fill('textbox "Name"', 'Ann')],
  ['type Ann into Title', { ...keys, target: '"Title"', text: 'Ann' }],
  ['type "Ann into Title"', { ...keys, text: 'Ann into Title' }],
  ['type Ann in Title', { ...keys, text: 'Ann in Title' }],
  ['enter Ann into Body', fill('"Body"', 'Ann')],
  ['fill Title = Ann', fill('"Title"', 'Ann')],
  ['fill title = Ann', fill('title', 'Ann')],
  ['choose Fish from Menu', { ...fill('"Menu"', 'Fish'), isChoice: true }],
  ['type "Ann" into textbox "Name"', { ...keys, target: 'textbox "Name"', text: 'Ann' }],
  ['type @e4 Ann', { ...keys, target: '@e4', text: 'Ann' }],
  ['type hello in the morning', { ...keys, text: 'hello in the morning' }],
  ['type a = b', { ...keys, text: 'a = b' }],
  ['press Control+A', { ...keys, key: 'Control+A' }],
  ['press Ctrl + A', { ...keys, key: 'Ctrl+A' }],
  ['press "Enter"', { ...keys, key: 'Enter' }],
  ['key Tab Tab Enter', { ...keys, key: 'Tab Tab Enter' }],
  ['press Tab, Enter', { ...keys, key: 'Tab Enter' }],
  ['press ArrowDown 3 times', { ...keys, key: 'ArrowDown ArrowDown ArrowDown' }],
  ['press ArrowDown x2', { ...keys, key: 'ArrowDown ArrowDown' }],
  ['press Enter in textbox "Search"', { ...keys, target: 'textbox "Search"', key: 'Enter' }],
  ['press @e4 Enter', { ...keys, target: '@e4', key: 'Enter' }],
  ['press button "Save"', { ...click, target: 'button "Save"' }],
  ['choose combobox "Size" = Large', { ...fill('combobox "Size"', 'Large'), isChoice: true }],
  ['select "Large" in combobox "Size"', { ...fill('combobox "Size"', 'Large'), isChoice: true }],
  ['select combobox "Size" "Large"', { ...fill('combobox "Size"', 'Large'), isChoice: true }],
  ['select option "Large"', { ...click, target: 'option "Large"' }],
  ['check checkbox "I agree"', fill('checkbox "I agree"', 'true')],
  ['check I agree', fill('"I agree"', 'true')],
  ['uncheck @e5', fill('@e5', 'false')],
  ['check @e5 = false', fill('@e5', 'false')],
  ['hover over button "More"', { ...hover, at: { target: 'button "More"' } }],
  ['drag @e1 to @e2', { ...hover, action: 'drag', at: { target: '@e1' }, to: { target: '@e2' } }],
  ['scroll', scroll],
  ['scroll down 2', { ...scroll, amount: 2 }],
  ['scroll up 300px', { ...scroll, direction: 'up', amount: 300, unit: 'px' }],
  ['scroll down in @e3', { ...scroll, target: '@e3' }],
  ['scroll @e3 down 2 pages', { ...scroll, target: '@e3', amount: 2 }],
  ['scroll to @e3', { ...scroll, target: '@e3', intoView: true }],
  ['scroll to the bottom', { ...scroll, amount: 50 }],
  ['wait text=Saved', wait('text', 'Saved')],
  ['wait for "Saved"', wait('text', 'Saved')],
  ['wait for text "Saved" to appear', wait('text', 'Saved')],
  ['wait gone text=Loading', wait('text', 'Loading', true)],
  ['wait until "Loading" is gone', wait('text', 'Loading', true)],
  ['wait gone_text=Loading', wait('text', 'Loading', true)],
  ['wait dialog "Done"', wait('selector', 'dialog "Done"')],
  ['wait @e5', wait('selector', '@e5')],
  ['expect text=Saved', there('text', 'Saved')],
  ['expect "Saved"', there('text', 'Saved')],
  ['expect button "Save"', there('selector', 'button "Save"')],
  ['expect no text=Error', there('text', 'Error', true)],
  ['expect button "Save" gone', there('selector', 'button "Save"', true)],
  ['expect row "Order 17" has "Paid"', asked('row "Order 17"', 'words', 'Paid')],
  ['expect row "has Paid" contains Paid', asked('row "has Paid"', 'words', 'Paid')],
  ['assert row "Order 17" does not have "Paid"', asked('row "Order 17"', 'words', 'Paid', true)],
  ['expect textbox "Name" = Ann', asked('textbox "Name"', 'value', 'Ann')],
  ['expect button "Save" is disabled', asked('button "Save"', 'state', 'disabled')],
  ['expect button "Save" is not disabled', asked('button "Save"', 'state', 'disabled', true)],
  ['click "Inbox" in nav', { ...click, target: 'text="Inbox" in nav' }],
  ['click link "Inbox" in the nav', { ...click, target: 'link "Inbox" in nav' }],
  ['click button "Save" in dialog', { ...click, target: 'button "Save" in dialog' }],
  ['click button in toolbar nth=2', { ...click, target: 'button nth=2 in toolbar' }],
  ['click .save in dialog', { ...click, target: '.save in dialog' }],
  ['click Sign in form', { ...click, target: 'text="Sign in form"' }],
  ['fill "Name" in dialog = Ann', fill('"Name" in dialog', 'Ann')],
  ['wait text="Paid" in row "Order 17"', wait('selector', 'text="Paid" in row "Order 17"')],
  ['expect no text="Paid" in main', there('selector', 'text="Paid" in main', true)],
  ['wait text=Paid in row 17', wait('text', 'Paid in row 17')],
  ['click css=#go', { ...click, target: '#go' }],
  ['wait css=.done', wait('selector', '.done')],
  ['click css=nav a', { ...click, target: 'nav a' }],
  ['fill css=form input[name=q] = x', fill('form input[name=q]', 'x')],
  ['click css=main >> text=Foo', { ...click, target: 'main >> text=Foo' }],
  ['fill label=First name = Ann', fill('"First name"', 'Ann')],
  ['fill label=First name nth=2 = Ann', fill('"First name" nth=2', 'Ann')],
  ['fill label=First name in form = Ann', fill('"First name" in form', 'Ann')],
  ['click title=Close the list in row "Ann"', { ...click, target: '[title="Close the list"] in row "Ann"' }],
  ['wait text=Shown (3 of 5) in list', wait('text', 'Shown (3 of 5) in list')],
  ['click text=Open (12) in group', { ...click, target: 'text=Open (12) in group' }],
  ['fill css=input[name="q"] = x', fill('input[name="q"]', 'x')],
  ['type "Ann" into css=.name', { ...keys, target: '.name', text: 'Ann' }],
  ['click role=button[name="Save"]', { ...click, target: 'button "Save"' }],
  [`click role=button[name='Save'i] in dialog`, { ...click, target: 'button "Save" in dialog' }],
  ['fill label=Name = Ann', fill('"Name"', 'Ann')],
  ['fill placeholder="Search" = Ann', fill('[placeholder="Search"]', 'Ann')],
  ['click data-testid=go', { ...click, target: '[data-testid="go"]' }],
  ['expect checkbox "Gift" unchecked', asked('checkbox "Gift"', 'state', 'checked', true)],
];

describe('a line of a list of steps', () => {
  it.each(LINES)('is parsed as intended: %s', (line, step) => {
    expect(parseStepLines([line])).toEqual([step]);
  });

  it.each([
    ['evaluate document.title', 'no scripts'],
    ['navigate https://a.example/', 'browser_navigate'],
    ['dance', 'no known action'],
    ['', 'no known action'],
    ['constructor x', 'no known action'],
    ['click', 'nothing to click'],
    ['click ""', 'nothing to click'],
    ['fill textbox "Name"', 'needs a field, = and a value'],
    ['press Bogus', 'names no key'],
    ['press Control+V', 'names no key'],
    ['wait 500', 'by themselves'],
    ['scroll down 999', 'too far'],
    ['drag @e1', 'and where'],
  ])('is refused with its grammar when it cannot be read: %s', (line, problem) => {
    const failure = failureOf(['click @e1', line]);
    expect(failure).toMatchObject({ code: 'invalid_argument', field: 'steps' });
    expect(failure).toMatchObject({
      problem: expect.stringContaining(`line 2: `),
      hint: expect.stringMatching(/^Write: /u),
    });
    expect(failure).toMatchObject({
      problem: expect.stringContaining(problem),
      hint: expect.stringContaining('Nothing was done.'),
    });
  });

  it('is parsed or refused in linear time however much white space it has', () => {
    const wide = ' '.repeat(1_800);
    const shapes = [
      `click "a" in row${wide}"`,
      `click text=a in row${wide}"b`,
      `click button x${wide}nth=`,
      `expect a${wide}b`,
      `wait a${'\t'.repeat(1_800)}b`,
      `fill "a"${wide}=${wide}`,
      `choose${wide}"a`,
    ];
    // With patterns that try each division of the white space, these take hours.
    for (const line of shapes) {
      try {
        parseStepLines(Array.from({ length: 20 }, () => line));
      } catch (error) {
        expect(error).toBeInstanceOf(PeriscopeError);
      }
    }
    expect(parseStepLines([`click button "Save"${wide}in row${wide}"Order 17"`])).toEqual(
      parseStepLines(['click button "Save" in row "Order 17"']),
    );
  });

  it('never contains the typed text, which may be a password', () => {
    const lines = ['fill textbox "hunter2"', 'hunter2 hunter2', 'press hunter2', 'wait', 'drag hunter2'];
    expect(JSON.stringify(failureOf(lines))).not.toContain('hunter2');
  });
});

function failureOf(lines: readonly string[]): unknown {
  try {
    return parseStepLines(lines);
  } catch (error) {
    return error instanceof PeriscopeError ? error.failure : error;
  }
}
