import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { TestClient, ToolResult } from '#support/mcp-clients.ts';

/** Plays one episode of a task through the tools. */
export type Solver = (page: Page) => Promise<void>;
export type Solvers = Readonly<Record<string, Solver>>;

/** The page of a task as a model knows it: the tools' last answers, and its possible actions. It counts their cost. */
export class Page {
  calls = 0;
  tokens = 0;
  /** Calls and answers, to explain failures. */
  readonly story: string[] = [];
  /** The lines of the last view. */
  view: string[] = [];
  readonly #client: TestClient;

  constructor(client: TestClient) {
    this.#client = client;
  }

  /** @throws if the tool answers with an error */
  async call(tool: string, args: Record<string, unknown> = {}): Promise<ToolResult> {
    const result = await this.#client.call(tool, args);
    this.calls += 1;
    this.tokens += countTokens(result.text);
    this.story.push(`> ${tool} ${JSON.stringify(args)}`, result.text);
    if (result.isError) throw new Error(`${tool} ${JSON.stringify(args)}: ${result.text}`);
    const { snapshot } = result.structured;
    if (typeof snapshot === 'string') this.view = snapshot.split('\n');
    return result;
  }

  async look(): Promise<string[]> {
    await this.call('browser_snapshot');
    return this.view;
  }

  /** The task's question: the first line of the page that is text and is not inside another element. */
  get query(): string {
    const line = this.view.find((one) => /^[A-Z]|^[a-z]+ \w/.test(one));
    if (line === undefined) throw new Error(`There is no task in:\n${this.view.join('\n')}`);
    return line;
  }

  /** The groups of a pattern in the query. @throws if it does not match */
  asked(pattern: RegExp): string[] {
    const match = pattern.exec(this.query);
    if (match === null) throw new Error(`The task asks for something else: ${this.query}`);
    return match.slice(1).map((part) => part ?? '');
  }

  /** Quoted words of the query. */
  get quoted(): string[] {
    return [...this.query.matchAll(/"([^"]*)"/g)].map(([, text = '']) => text);
  }

  /** Refs of all lines that match, in the order of the view. */
  refs(pattern: RegExp | string): string[] {
    return this.view.flatMap((line) => refIn(line, pattern) ?? []);
  }

  /** @throws if the view has no such line */
  ref(pattern: RegExp | string, index = 0): string {
    const ref = this.refs(pattern)[index];
    if (ref === undefined) throw new Error(`There is no ${String(pattern)} (${index}) in:\n${this.view.join('\n')}`);
    return ref;
  }

  has(text: string): boolean {
    return this.view.some((line) => line.includes(text));
  }

  /** The text of the view between the query and the first control. */
  get shown(): string[] {
    const from = this.view.indexOf(this.query) + 1;
    const to = this.view.findIndex((line, at) => at >= from && /@e\d/.test(line));
    return this.view.slice(from, to === -1 ? undefined : to);
  }

  async click(target: RegExp | string, more: Record<string, unknown> = {}): Promise<ToolResult> {
    return this.call('browser_click', { selector: this.#target(target), ...more });
  }

  /** Clicks, and returns the page afterwards. */
  async clickAndLook(target: RegExp | string): Promise<string[]> {
    await this.click(target, { snapshot: true });
    return this.view;
  }

  async setFields(fields: readonly (readonly [RegExp | string, string])[]): Promise<void> {
    if (fields.length === 0) return;
    const selectors = fields.map(([target]) => this.#target(target));
    await this.call('browser_fill', { selectors, values: fields.map(([, value]) => value) });
  }

  async submit(name = 'Submit'): Promise<void> {
    await this.click(`button "${name}"`);
  }

  async keys(names: string, selector?: string): Promise<void> {
    await this.call('browser_type', { key: names, ...(selector === undefined ? {} : { selector }) });
  }

  async press(name: string, times: number, selector?: string): Promise<void> {
    const atOnce = Math.floor(KEYS_CHARS_MAX / (name.length + 1));
    for (let left = times; left > 0; left -= atOnce) {
      await this.keys(Array.from({ length: Math.min(left, atOnce) }, () => name).join(' '), selector);
    }
  }

  async drag(from: string, to: string): Promise<void> {
    await this.call('browser_point', { action: 'drag', selector: from, to_selector: to });
  }

  /** Drags an element to a pixel of the page. */
  async dragTo(from: string, { x, y }: Point): Promise<void> {
    await this.pointAnew({ action: 'drag', selector: from, to_x: x, to_y: y });
  }

  /** Takes a picture. The window is small, so a pixel of the picture is a pixel of the page. */
  async picture(): Promise<void> {
    await this.call('browser_screenshot', { accessibility_tree: false });
  }

  /** Moves the mouse by pixels of a new picture. If the page has changed since, takes another one. */
  async pointAnew(args: Record<string, unknown>): Promise<ToolResult> {
    for (let tries = 1; ; tries += 1) {
      await this.picture();
      try {
        return await this.call('browser_point', args);
      } catch (error) {
        if (tries === POINT_TRIES || !String(error).includes('stale_picture')) throw error;
      }
    }
  }

  async point(action: 'click' | 'hover', { x, y }: Point): Promise<void> {
    await this.call('browser_point', { action, x, y });
  }

  /** Includes `style` attributes, which are omitted by default. */
  async html(selector: string): Promise<string> {
    const { structured } = await this.call('browser_html', { selector, keep_scripts: true });
    return String(structured['html']);
  }

  async read(selector: string): Promise<string> {
    const { structured } = await this.call('browser_read', { selector });
    return String(structured['text']);
  }

  #target(target: RegExp | string): string {
    if (typeof target === 'string' && /^[@#.[]|^(?:svg|rect)/.test(target)) return target;
    return this.ref(target);
  }
}

export type Point = { x: number; y: number };

const POINT_TRIES = 3;
const KEYS_CHARS_MAX = 190;

/** The ref of a match in a line: the last ref before the match ends. */
export function refIn(line: string, pattern: RegExp | string): string | undefined {
  const at = typeof pattern === 'string' ? line.indexOf(pattern) : line.search(pattern);
  if (at === -1) return undefined;
  return line.slice(0, at).match(/@e\d+/g)?.at(-1) ?? /^@e\d+/.exec(line.slice(at))?.[0];
}

/** Position words of tasks as indexes: `2nd` is 1. */
export function nth(word: string): number {
  return Number.parseInt(word, 10) - 1;
}

export function exactly(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
