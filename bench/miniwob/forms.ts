import { nth } from './page.ts';
import type { Page, Solver, Solvers } from './page.ts';

/** Fields, check boxes and lists. */
export const FORMS: Solvers = {
  'enter-text': enterQuoted((text) => text),
  'enter-text-dynamic': enterQuoted((text) => text),
  'enter-text-2': async (page) => {
    const [text = ''] = page.quoted;
    await enter(page, page.query.includes('upper case') ? text.toUpperCase() : text.toLowerCase());
  },
  'text-transform': async (page) => enter(page, page.shown.map((letter) => letter.trim()).join('')),
  'enter-password': async (page) => {
    const [password = ''] = page.quoted;
    await page.setFields(page.refs('textbox').map((ref) => [ref, password]));
    await page.submit();
  },
  'enter-date': async (page) => {
    const [month, day, year] = page.asked(/(\d+)\/(\d+)\/(\d+)/);
    await page.setFields([[/date$/, `${year}-${month}-${day}`]]);
    await page.submit();
  },
  'enter-time': async (page) => {
    const [hour, minute, half] = page.asked(/(\d+):(\d+).(AM|PM)/);
    const hours = (Number(hour) % 12) + (half === 'PM' ? 12 : 0);
    await page.setFields([[/time$/, `${String(hours).padStart(2, '0')}:${minute}`]]);
    await page.submit();
  },
  'login-user': login('Login'),
  'login-user-popup': async (page) => {
    const values = page.quoted;
    for (const [index, value] of values.entries()) {
      await page.clickAndLook(page.ref('textbox', index));
      if (page.has('button "Cancel"')) await page.clickAndLook('button "Cancel"');
      await page.setFields([[page.ref('textbox', index), value]]);
    }
    await page.submit('OK');
  },
  'click-checkboxes': checkNamed,
  'click-checkboxes-large': checkNamed,
  'click-checkboxes-transfer': checkNamed,
  'click-option': async (page) => {
    const [name] = page.asked(/^Select (.*) and click Submit/);
    await page.setFields([[`radio "${name}"`, 'true']]);
    await page.submit();
  },
  'choose-list': async (page) => {
    const [name = ''] = page.asked(/^Select (.*) from the list/);
    await page.setFields([['combobox', name]]);
    await page.submit();
  },
  'click-scroll-list': async (page) => {
    const [names = ''] = page.asked(/^Select (.*) from the scroll list/);
    await page.setFields([['listbox', optionsIn(page, names).join('\n')]]);
    await page.submit();
  },
  'form-sequence-2': async (page) => {
    const [radio = '', value = '', box = ''] = page.asked(/the (\w+) radio button.*"(.+)" into the (\w+) textbox/);
    const fields: [string, string][] = [
      [page.ref('radio', nth(radio)), 'true'],
      [page.ref('textbox', nth(box)), value],
    ];
    await page.setFields(fields);
    await page.submit();
  },
  'form-sequence-3': async (page) => {
    const [height = '', button = ''] = page.asked(/Choose (.+) from the dropdown.*"(.+)"/);
    await page.clickAndLook('"▾"');
    await page.click(new RegExp(`(?:option|listitem|clickable) "${height}"`));
    await page.submit(button);
  },
  'multi-layouts': movieSearch,
  'multi-orderings': movieSearch,
  'use-autocomplete': autocomplete,
  'use-autocomplete-nodelay': autocomplete,
  'use-colorwheel': async (page) => {
    const [name = ''] = page.asked(/Select (\w+) with/);
    await page.setFields([['textbox', HEX[name] ?? name]]);
    await page.submit();
  },
  'use-colorwheel-2': async (page) => {
    const [, hex = ''] = /background-color: ?#(\w+)/.exec(await page.html('#query')) ?? [];
    await page.setFields([['textbox', hex]]);
    await page.submit();
  },
  'use-spinner': async (page) => {
    const [wanted] = page.asked(/Select (-?\d+)/);
    const arrow = Number(wanted) > 0 ? 'triangle-1-n' : 'triangle-1-s';
    for (let left = Math.abs(Number(wanted)); left > 0; left -= 1) await page.click(arrow);
    await page.submit();
  },
};

const HEX: Readonly<Record<string, string>> = {
  black: '000000',
  white: 'ffffff',
  aqua: '00ffff',
  blue: '0000ff',
  gray: '808080',
  green: '008000',
  lime: '00ff00',
  maroon: '800000',
  navy: '000080',
  olive: '808000',
  purple: '800080',
  red: 'ff0000',
  silver: 'c0c0c0',
  teal: '008080',
  yellow: 'ffff00',
  pink: 'ffc0cb',
  magenta: 'ff00ff',
  gold: 'ffd700',
  orange: 'ffa500',
};

export async function enter(page: Page, text: string): Promise<void> {
  await page.setFields([['textbox', text]]);
  await page.submit();
}

function enterQuoted(change: (text: string) => string): Solver {
  return (page) => enter(page, change(page.quoted[0] ?? ''));
}

function login(button: string): Solver {
  return async (page) => {
    const [user = '', password = ''] = page.quoted;
    await page.setFields([
      [page.ref('textbox', 0), user],
      [page.ref('textbox', 1), password],
    ]);
    await page.submit(button);
  };
}

async function checkNamed(page: Page): Promise<void> {
  const [names = ''] = page.asked(/^Select (.*) and click Submit/);
  const fields = names === 'nothing' ? [] : names.split(', ').map((name) => [`checkbox "${name}"`, 'true'] as const);
  await page.setFields(fields);
  await page.submit();
}

/** Names of countries contain commas, so options are matched as a whole. */
function optionsIn(page: Page, names: string): string[] {
  const line = page.view.find((one) => one.includes('listbox')) ?? '';
  const options = [...line.matchAll(/"([^"]*)"/g)].map(([, option = '']) => option);
  const one = options.find((option) => option === names);
  return one === undefined ? options.filter((option) => names.split(', ').includes(option)) : [one];
}

/** The labels are before or after their fields, in the order of the fields. */
async function movieSearch(page: Page): Promise<void> {
  const [genre = '', director = '', year = ''] = page.asked(/for (\w+) movies directed by (.+) from year (\d+)/);
  const below = page.view.slice(page.view.indexOf(page.query) + 1);
  const values = below.flatMap((line) => {
    if (/Genre/.test(line)) return [genre];
    if (/Director/.test(line)) return [director];
    return /Year|Released Date/.test(line) ? [year] : [];
  });
  await page.setFields(page.refs('textbox').map((ref, index) => [ref, values[index] ?? '']));
  await page.click(/"(?:Submit|Search|Go!)"/);
}

async function autocomplete(page: Page): Promise<void> {
  const [start = '', end = ''] = page.quoted;
  const box = page.ref('textbox');
  await page.call('browser_type', { selector: box, text: start, snapshot: true });
  const names = page.view.flatMap(
    (line) => /@e\d+ (?:menuitem|option|listitem|clickable) "(.*)"/.exec(line)?.[1] ?? [],
  );
  const name = names.find((one) => one.startsWith(start) && one.endsWith(end)) ?? '';
  await page.click(`"${name}"`);
  await page.submit();
}
