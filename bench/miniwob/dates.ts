import { minutesIn } from './reading.ts';
import { exactly } from './page.ts';
import type { Page, Solvers } from './page.ts';

/** Date pickers, and bookings or notes for a day. */
export const DATES: Solvers = {
  'choose-date': chooseDate,
  'choose-date-easy': chooseDate,
  'choose-date-medium': chooseDate,
  'choose-date-nodelay': chooseDate,
  'book-flight': bookFlight,
  'book-flight-nodelay': bookFlight,
};

async function chooseDate(page: Page): Promise<void> {
  const [month, day, year] = page.asked(/(\d+)\/(\d+)\/(\d+)/).map(Number);
  await page.clickAndLook(/textbox(?: ""| readonly)?/);
  await pickDay(page, Number(year), Number(month), Number(day));
  await page.submit();
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** The picker shows one month; arrows change it. */
async function pickDay(page: Page, year: number, month: number, day: number): Promise<void> {
  for (let turned = 0; turned < 24; turned += 1) {
    const [, name = '', shownYear] = new RegExp(`(${MONTHS.join('|')})\\W+(\\d{4})`).exec(page.view.join(' ')) ?? [];
    const away = year * 12 + month - (Number(shownYear) * 12 + MONTHS.indexOf(name) + 1);
    if (away === 0) break;
    await page.clickAndLook(away < 0 ? /"Prev"/ : /"Next"/);
  }
  await page.click(` ${day}]`);
}

async function bookFlight(page: Page): Promise<void> {
  const [best, from = '', to = '', month, day, year] = page.asked(
    /the (cheapest|shortest) .*from: (.+) to: (.+) on (\d+)\/(\d+)\/(\d+)/,
  );
  await chooseAirport(page, 0, from);
  await chooseAirport(page, 1, to);
  await page.clickAndLook('textbox readonly');
  await pickDay(page, Number(year), Number(month), Number(day));
  await page.clickAndLook('button "Search"');
  const prices = page.view.flatMap((line) => /flight for \$(\d+)/.exec(line)?.[1] ?? []).map(Number);
  const minutes = page.view.flatMap((line) => minutesIn(line) ?? []);
  const values = best === 'cheapest' ? prices : minutes;
  await page.click(page.ref('flight for $', values.indexOf(Math.min(...values))));
}

async function chooseAirport(page: Page, index: number, name: string): Promise<void> {
  const box = page.ref('textbox', index);
  await page.call('browser_type', { selector: box, text: name, snapshot: true });
  const label = /^[A-Z]{3}$/.test(name) ? `\\(${name}\\)"` : `"${exactly(name)}`;
  await page.clickAndLook(new RegExp(`(?:menuitem|option|clickable) .*${label}`));
}
