import { Meter, ToolError } from '../browser/meter.ts';
import type { Call, Field, Subject } from '../browser/subjects.ts';
import type { Click, Hands, Looks } from './hands.ts';

/** Requests the whole page after an action, if a model has to read more than one part of it. */
export const ALL = Symbol('all');
/** Marks an action after which the page re-creates its elements. `again` is looked up again if old refs fail. */
export type Again = { again: string };
export type Sight = string | typeof ALL | Again;

/** Plays a task as a model would, with no other knowledge than the answers of the tools. */
export class Player {
  readonly meter: Meter;
  readonly hands: Hands;
  /** The answers so far, newest last. */
  readonly #read: string[] = [];
  /** Actions without a look afterwards. They are sent together with the next one, if the server can. */
  #ahead: (() => readonly Call[])[] = [];
  /** True if an element was named that no answer has shown. */
  #isGuess = false;

  constructor(hands: Hands) {
    this.hands = hands;
    this.meter = new Meter(hands.subject);
  }

  /** The current page as the last answer shows it. */
  get last(): string {
    return this.hands.subject.shown(this.#read.at(-1) ?? '');
  }

  /** All answers. */
  get all(): string {
    return this.#read.join('\n');
  }

  async open(url: string, sign?: string): Promise<void> {
    await this.#catchUp();
    this.#read.push(await this.meter.do(this.hands.subject.open(url)));
    if (sign === undefined || this.last.includes(sign)) return;
    this.#read.push(await this.meter.until(sign, []));
  }

  /** Clicks, and waits for an expected sign. */
  async click(what: string, sight?: Sight, click: Click = {}): Promise<void> {
    await this.#act(() => this.hands.click(this.ref(what), this.#looksFor(sight), click), sight);
  }

  async fillIn(fields: readonly Field[], sight?: Sight): Promise<void> {
    const withRefs = () =>
      fields.map((field) => ({ ...field, ref: this.ref(field.label), label: nameIn(field.label) }));
    await this.#act(() => this.hands.fill(withRefs(), this.#looksFor(sight)), sight);
  }

  /** Types key by key, into an element or at the focus. */
  async type(what: string | null, text: string, sight?: Sight): Promise<void> {
    await this.#act(() => this.hands.type(what === null ? null : this.ref(what), text, this.#looksFor(sight)), sight);
  }

  async press(key: string, sight?: Sight, times = 1): Promise<void> {
    await this.#act(() => this.hands.press(key, times, this.#looksFor(sight)), sight);
  }

  async hover(what: string, sight?: Sight): Promise<void> {
    await this.#act(() => this.hands.hover(this.ref(what), this.#looksFor(sight)), sight);
  }

  async drag(from: string, to: string, sight?: Sight): Promise<void> {
    await this.#act(() => this.hands.drag(this.ref(from), this.ref(to), this.#looksFor(sight)), sight);
  }

  /** Waits for a text, and looks for a sign of its effect. */
  async wait(text: string, sight?: Sight): Promise<void> {
    await this.#act(() => [this.hands.wait(text)], sight);
  }

  /** Reads the errors that the page has logged. */
  async errors(): Promise<void> {
    await this.#act(() => [this.hands.errors()]);
    const whole = this.hands.errorWhole(this.#read.at(-1) ?? '');
    if (whole !== null) await this.#act(() => [whole]);
  }

  /** Searches for a text, and reads its surroundings. */
  async seek(text: string): Promise<void> {
    await this.#act(() => [this.hands.seek(text)], text);
  }

  async look(): Promise<void> {
    await this.#act(() => [this.hands.subject.snapshot()]);
  }

  /**
   * The element that was last seen with a label. `OTHER|LABEL` takes the first of these that was seen, `ROW > LABEL`
   * the first that comes after a text, `... LABEL` the last in the answer. `text=LABEL` names it by its text, and
   * `css=SELECTOR` by a selector, if the server accepts that.
   */
  ref(what: string): string {
    const { subject, byText, takesCss } = this.hands;
    for (const label of what.split('|')) {
      if (label.startsWith('css=')) {
        if (takesCss) return label.slice('css='.length);
        continue;
      }
      // A part of a longer name.
      if (label.startsWith('text=') && byText !== null) return byText(label.slice('text='.length));
      for (const text of this.#read.toReversed()) {
        const ref = refAfter(text, label.replace('text=', '').split(' > '), subject);
        if (ref !== null) return ref;
      }
    }
    this.#isGuess = true;
    const named = byText?.(what.split('|').at(-1) ?? '');
    if (named === undefined) throw new Error(`There is no ${what} in:\n${this.#read.join('\n')}`);
    return named;
  }

  /** Looks after a failure. If the action had no effect, tries a second time with the refs in the new view. */
  async #act(calls: () => readonly Call[], sight?: Sight): Promise<void> {
    if (await this.#isTakenAhead(calls, sight)) return;
    const { subject, seek } = this.hands;
    const sign = this.#signOf(sight);
    const shows = () => sign !== null && this.last.includes(sign);
    try {
      this.#read.push(await this.meter.do(calls()));
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      this.#read.push(await this.meter.do([subject.snapshot()]));
      if (!shows()) this.#read.push(await this.meter.do(calls()));
    }
    if (sign === null || shows()) return;
    const again = [seek(sign)];
    this.#read.push(await this.meter.until(sign, again, again));
  }

  /**
   * Defers an action that needs no look. An action with a look is sent together with the deferred ones. @returns true
   * if the calls are deferred or sent
   */
  async #isTakenAhead(calls: () => readonly Call[], sight?: Sight): Promise<boolean> {
    const { list } = this.hands;
    if (list === null) return false;
    this.#isGuess = false;
    const now = calls();
    // A deferred action may show the element that was not seen yet.
    const isBlind = this.#isGuess && this.#ahead.length > 0;
    if (isBlind || !now.every((call) => list.stepsOf(call) !== null)) {
      await this.#catchUp();
      return false;
    }
    if (sight === undefined) {
      this.#ahead.push(calls);
      return true;
    }
    if (this.#ahead.length === 0) return false;
    this.#ahead.push(calls);
    await this.#catchUp(this.#looksFor(sight));
    const sign = this.#signOf(sight);
    if (sign === null || this.last.includes(sign)) return true;
    const again = [this.hands.seek(sign)];
    this.#read.push(await this.meter.until(sign, again, again));
    return true;
  }

  /** Sends the deferred actions in one call. After a failure, continues with one call each. */
  async #catchUp(looks: Looks = 'nothing'): Promise<void> {
    const { list } = this.hands;
    const ahead = this.#ahead;
    this.#ahead = [];
    if (list === null || ahead.length === 0) return;
    const calls = ahead.flatMap((action) => action());
    const [only, ...others] = calls;
    const steps = calls.flatMap((call) => list.stepsOf(call) ?? []);
    const isList = only !== undefined && others.length > 0;
    const answer = await this.#answerOf(isList ? list.take(steps, looks) : (only ?? list.take(steps, looks)));
    this.#read.push(answer);
    if (!isList) return;
    const done = Number(/Took (\d+) of/u.exec(answer)?.[1] ?? (/Took (?:all|the)/u.test(answer) ? steps.length : 0));
    let taken = 0;
    for (const action of ahead) {
      taken += action().flatMap((call) => list.stepsOf(call) ?? []).length;
      if (taken <= done) continue;
      if (this.#read.at(-1) === answer) this.#read.push(await this.meter.do([this.hands.subject.snapshot()]));
      this.#read.push(await this.meter.do(action()));
    }
  }

  /** The answer, also if the action failed. */
  async #answerOf(call: Call): Promise<string> {
    return this.meter.do([call]).catch((error: unknown) => {
      if (error instanceof ToolError) return error.message;
      throw error;
    });
  }

  /** Sends the last deferred actions. */
  async finish(): Promise<void> {
    await this.#catchUp();
  }

  #looksFor(sight: Sight | undefined): Looks {
    if (sight === ALL) return 'all';
    return this.#signOf(sight) === null ? 'nothing' : 'sign';
  }

  #signOf(sight: Sight | undefined): string | null {
    if (sight === undefined || sight === ALL) return null;
    if (typeof sight === 'string') return sight;
    return this.hands.refsLast ? null : sight.again;
  }
}

function refAfter(text: string, path: readonly string[], subject: Subject): string | null {
  const [first = '', ...rest] = path;
  if (first.startsWith('... ')) {
    const label = first.slice('... '.length);
    const line = text.split('\n').findLast((one) => subject.refOf(one, label) !== null);
    return line === undefined ? null : subject.refOf(line, label);
  }
  if (rest.length === 0) return subject.refOf(text, first);
  const at = text.indexOf(first);
  return at === -1 ? null : refAfter(text.slice(at + first.length), rest, subject);
}

/** The name of the wanted element: `Name` of `textbox "Name`. */
function nameIn(what: string): string {
  return /"([^"|]+)/.exec(what)?.[1] ?? what;
}
