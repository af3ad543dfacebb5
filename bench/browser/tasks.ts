import { setTimeout as sleep } from 'node:timers/promises';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import type { BrowserSite } from '#support/browser-site.ts';
import type { Call, Field, Subject } from './subjects.ts';

/** What a task cost a model: what it read, what it wrote, and how long it waited for tools. */
export type Cost = { calls: number; tokensIn: number; tokensOut: number; ms: number };

export type Task = {
  name: string;
  run: (subject: Subject, site: BrowserSite) => Promise<Cost>;
};

/** Five steps through an application: open it, go to its list, open an entry, change it, see that it is changed. */
const PAY_ORDER: Task = {
  name: 'five steps: find an order in an application and mark it as paid',
  run: async (subject, site) => {
    const meter = new Meter(subject);
    const before = site.told.length;
    const today = await meter.do(subject.open(`${site.url}/app`));
    const orders = await meter.until('Order 18', subject.click(subject.refOf(today, 'link "Orders"')));
    const order = await meter.until('Mark as paid', subject.click(subject.refOf(orders, 'Order 18')));
    await meter.until('Paid.', subject.click(subject.refOf(order, 'button "Mark as paid"')));
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
      const withRefs = fields.map((field) => ({ ...field, ref: subject.refOf(shown, `"${field.label}`) }));
      await meter.do(subject.fill(withRefs));
      const button = step === 2 ? 'button "Book now"' : 'button "Next"';
      shown = await meter.until(after[step] ?? '', subject.click(subject.refOf(shown, button)));
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

class Meter {
  readonly cost: Cost = { calls: 0, tokensIn: 0, tokensOut: 0, ms: 0 };
  readonly #subject: Subject;

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  /** Makes the calls and gives what the model has read last. */
  async do(calls: readonly Call[]): Promise<string> {
    let read = '';
    for (const call of calls) {
      const { text, ms } = await this.#subject.call(call);
      this.cost.calls += 1;
      this.cost.ms += ms;
      this.cost.tokensIn += tokens(text);
      this.cost.tokensOut += tokens(`${call.tool} ${JSON.stringify(call.args)}`);
      read = text;
    }
    return read;
  }

  /** The same; whoever does not see what has to come looks again, as a model would. */
  async until(sign: string, calls: readonly Call[]): Promise<string> {
    let read = await this.do(calls);
    for (let looks = 0; !read.includes(sign) && looks < LOOKS_MAX; looks += 1) {
      await sleep(LOOK_AGAIN_MS);
      this.cost.ms += LOOK_AGAIN_MS;
      read = await this.do([this.#subject.snapshot()]);
    }
    if (!read.includes(sign)) throw new Error(`${this.#subject.name} does not see ${sign} in:\n${read}`);
    return read;
  }
}

const LOOKS_MAX = 5;
const LOOK_AGAIN_MS = 250;

export function tokens(text: string): number {
  return encode(text).length;
}
