import { enter } from './forms.ts';
import { nth, refIn } from './page.ts';
import type { Page, Solvers } from './page.ts';

/** Tasks to read, calculate or try something, and then to answer. */
export const READING: Solvers = {
  'find-word': async (page) => {
    const [position = ''] = page.asked(/the (\w+) word/);
    const words = page.shown.join(' ').trim().split(/\s+/);
    await enter(page, (words[nth(position)] ?? '').replaceAll(/[^a-z]+/gi, ''));
  },
  'read-table': async (page) => {
    const [key = ''] = page.asked(/value of (.+) into/);
    await enter(page, cell(page, key));
  },
  'read-table-2': async (page) => {
    const labels = page.view
      .flatMap((line) => /([A-Z][\w ]+):/.exec(line)?.[1] ?? [])
      .filter((one) => isKey(page, one));
    await page.setFields(page.refs('textbox').map((ref, index) => [ref, cell(page, labels[index] ?? '')]));
    await page.submit();
  },
  'simple-arithmetic': async (page) => {
    const [, one = '', sign = '', other = ''] = /(-?\d+) ([-+x]) (-?\d+)/.exec(page.shown.join(' ')) ?? [];
    const results: Record<string, number> = {
      '+': Number(one) + Number(other),
      '-': Number(one) - Number(other),
      x: Number(one) * Number(other),
    };
    await enter(page, String(results[sign]));
  },
  'simple-algebra': async (page) => {
    const [, left = '', sign = '', right = '', sum = ''] =
      /(x|\d+) ([-+]) (x|\d+) = (-?\d+)/.exec(page.shown.join(' ')) ?? [];
    const known = Number(left === 'x' ? right : left);
    const x = sign === '+' ? Number(sum) - known : left === 'x' ? Number(sum) + known : known - Number(sum);
    await enter(page, String(x));
  },
  'guess-number': async (page) => {
    let [low, high] = [0, 9];
    while (low <= high) {
      const guess = Math.floor((low + high) / 2);
      await page.setFields([['spinbutton', String(guess)]]);
      await page.clickAndLook('button "Submit"');
      if (page.has('higher than')) low = guess + 1;
      else if (page.has('lower than')) high = guess - 1;
      else return;
    }
  },
  'generate-number': async (page) => {
    const fits = wanted(page.query);
    for (let tries = 0; tries < 40; tries += 1) {
      await page.clickAndLook('button "Generate"');
      const number = page.shown.find((line) => /^\d+$/.test(line.trim()));
      if (number !== undefined && fits(Number(number))) break;
    }
    await page.submit();
  },
  'odd-or-even': async (page) => {
    const numbers = page.view.filter((line) => /^-?\d+$/.test(line.trim())).slice(0, 3);
    for (const [index, number] of numbers.entries()) {
      await page.click(page.ref(Number(number) % 2 === 0 ? 'button "Even"' : 'button "Odd"', index));
    }
    await page.submit();
  },
  'scroll-text': async (page) => {
    const text = await page.read(page.ref('textbox', 0));
    const last = text.match(/[a-z]+/gi)?.at(-1) ?? '';
    await page.setFields([[page.ref('textbox', 1), last]]);
    await page.submit();
  },
  'scroll-text-2': async (page) => {
    const direction = page.query.includes('bottom') ? 'down' : 'up';
    await page.call('browser_scroll', { selector: page.ref('textbox'), direction, amount: 50 });
    await page.submit();
  },
  'sign-agreement': async (page) => {
    if (page.query.includes('Click the cancel')) return page.submit('Cancel');
    const [name = '', button = ''] = page.quoted;
    await page.call('browser_scroll', {
      selector: page.ref('textbox', 0),
      direction: 'down',
      amount: 50,
      snapshot: true,
    });
    await page.setFields([['textbox "Name"', name]]);
    await page.submit(button);
  },
  'copy-paste': async (page) => copy(page, 0, 'textbox ('),
  'copy-paste-2': async (page) => copy(page, nth(page.asked(/the (\w+) text area/)[0] ?? ''), '(4th of 4)'),
  'phone-book': async (page) => {
    const [name = '', what = ''] = page.asked(/Find (.+) in the contact book and click on their (\w+)/);
    for (let turned = 0; !page.view.includes(`## ${name}`) && turned < 5; turned += 1)
      await page.clickAndLook('link ">"');
    const line = page.view.find((one) => one.toLowerCase().startsWith(what)) ?? '';
    await page.click(/@e\d+/.exec(line)?.[0] ?? line);
  },
  'buy-ticket': async (page) => {
    const prices = page.view.flatMap((line) => /for \$(\d+)/.exec(line)?.[1] ?? []).map(Number);
    const minutes = page.view.flatMap((line) => minutesIn(line) ?? []);
    const values = /cost/.test(page.query) ? prices : minutes;
    const best = /cheapest|shortest/.test(page.query) ? Math.min(...values) : Math.max(...values);
    await page.click(page.ref('Book for', values.indexOf(best)));
  },
  'order-food': async (page) => {
    const [count, type] = /Order (\d+) items that are (.+)/.exec(page.query)?.slice(1) ?? [];
    if (count === undefined) {
      for (const name of page.asked(/each item: (.+)/)[0]?.split(/, ?/) ?? [])
        await page.click(plusAfter(page, name.trim()));
    } else {
      for (let left = Number(count); left > 0; left -= 1) await page.click(plusAfter(page, `img ${type}`));
    }
    await page.submit('Order!');
  },
  terminal: async (page) => {
    const [extension = ''] = /extension (\.\S+)/.exec(page.query)?.slice(1) ?? [];
    await page.call('browser_type', { selector: page.ref('textbox'), text: 'ls', submit: true, snapshot: true });
    const words = page.view.flatMap((line) => /"([^"]*)"/.exec(line)?.[1]?.split(' ') ?? []);
    const from = words.lastIndexOf('ls') + 1;
    const file =
      words.slice(from).find((word) => (extension === '' ? /^\w+$/.test(word) : word.endsWith(extension))) ?? '';
    await page.call('browser_type', { selector: page.ref('textbox'), text: `rm ${file}`, submit: true });
  },
};

function cell(page: Page, key: string): string {
  const line = page.view.find((one) => one.startsWith(`| ${key} |`)) ?? '';
  return line.split('|').at(-1)?.trim() ?? '';
}

function isKey(page: Page, key: string): boolean {
  return cell(page, key) !== '';
}

function wanted(query: string): (number: number) => boolean {
  const [, word, limit] = /(less|greater) than (\d+)/.exec(query) ?? [];
  if (word === 'less') return (number) => number < Number(limit);
  if (word === 'greater') return (number) => number > Number(limit);
  return query.includes('odd') ? (number) => number % 2 === 1 : (number) => number % 2 === 0;
}

export function minutesIn(line: string): number | undefined {
  const [, hours, minutes] = /(\d+)h (\d+)m/.exec(line) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}

/** A view trims a field's spaces; reading it as a document keeps them. */
async function copy(page: Page, area: number, into: string): Promise<void> {
  const lines = (await page.read(page.ref('textbox =', area))).split('\n').map((line) => line.replace(/^L\d+: /, ''));
  const text = lines.find((line) => !line.startsWith('```')) ?? '';
  await page.setFields([[into, text]]);
  await page.submit();
}

function plusAfter(page: Page, text: string): string {
  const from = page.view.findIndex((one) => one !== page.query && one.includes(text));
  const line = page.view.find((one, at) => at > from && one.includes('"+"')) ?? '';
  return refIn(line, '"+"') ?? line;
}
