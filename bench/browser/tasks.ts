import type { BrowserSite } from '#support/browser-site.ts';
import { Meter } from './meter.ts';
import type { Cost } from './meter.ts';
import type { Field, Subject } from './subjects.ts';

export type Task = {
  name: string;
  run: (subject: Subject, site: BrowserSite) => Promise<Cost>;
};

/** Five steps in an application: open it, go to its list, open an entry, change it, check the change. */
const PAY_ORDER: Task = {
  name: 'five steps: find an order in an application and mark it as paid',
  run: async (subject, site) => {
    const meter = new Meter(subject);
    const before = site.told.length;
    const today = await meter.do(subject.open(`${site.url}/app`));
    const orders = await meter.until('Order 18', subject.click(meter.refOf(today, 'link "Orders"')));
    const order = await meter.until('Mark as paid', subject.click(meter.refOf(orders, 'Order 18')));
    await meter.until('Paid.', subject.click(meter.refOf(order, 'button "Mark as paid"')));
    const told = site.told.slice(before);
    if (told.length !== 1 || told[0]?.what !== 'paid' || told[0].detail !== '18') throw new Error('It is not paid.');
    return meter.cost;
  },
};

const BOAT: Field[] = [
  { label: 'Name of the boat', kind: 'textbox', value: 'Kittiwake' },
  { label: 'Length in metres', kind: 'textbox', value: '11' },
  { label: 'Kind', kind: 'combobox', value: 'Sailing boat' },
];
const STAY: Field[] = [
  { label: 'Arrival', kind: 'textbox', value: '2027-05-14' },
  { label: 'Nights', kind: 'textbox', value: '3' },
  { label: 'Shore power', kind: 'checkbox', value: 'true' },
  { label: 'South', kind: 'radio', value: 'true' },
];
const PERSON: Field[] = [
  { label: 'E-mail', kind: 'textbox', value: 'ada@acme.dev' },
  { label: 'Secret word', kind: 'textbox', value: 'kelp' },
  { label: 'Remarks', kind: 'textbox', value: 'Two cats' },
];

/** A form of three screens with ten fields. */
const BOOK_BERTH: Task = {
  name: 'a form: ten fields on three screens',
  run: async (subject, site) => {
    const meter = new Meter(subject);
    const before = site.bookings.length;
    let shown = await meter.do(subject.open(`${site.url}/booking`));
    const after = ['Your stay', 'About you', 'is confirmed'];
    for (const [step, fields] of [BOAT, STAY, PERSON].entries()) {
      const withRefs = fields.map((field) => ({ ...field, ref: meter.refOf(shown, `"${field.label}`) }));
      await meter.do(subject.fill(withRefs));
      const button = step === 2 ? 'button "Book now"' : 'button "Next"';
      shown = await meter.until(after[step] ?? '', subject.click(meter.refOf(shown, button)));
    }
    const [sent] = site.bookings.slice(before);
    for (const [name, value] of Object.entries({
      boat: 'Kittiwake',
      length: '11',
      kind: 'sail',
      nights: '3',
      power: 'on',
    })) {
      if (sent?.[name] !== value) throw new Error(`${name} was sent as ${sent?.[name]}`);
    }
    return meter.cost;
  },
};

export const TASKS: readonly Task[] = [PAY_ORDER, BOOK_BERTH];
