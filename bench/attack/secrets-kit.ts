import { formFields, pageOf } from '#support/oauth-browser.ts';
import type { Rig, Someone } from './rig.ts';
import type { Answer } from './wire.ts';

/** Shared by the tries at secrets: a stored secret, and a search for parts of it in all answers to a model. */

/** None of its parts occurs elsewhere. */
export const VALUE = 'qX7vbN2lmK9rtZ4w';
export const TWIN = 'hJ5sdG8pyC3feW6u';

export async function keepSecret(
  { browser }: Someone,
  name: string,
  sites: readonly string[],
  value = VALUE,
): Promise<number> {
  const page = pageOf(await browser.get(`${browser.origin}/console/secrets`));
  const form = formFields(page.html, '/console/secrets').find(([field]) => field === 'form')?.[1] ?? '';
  const fields: [string, string][] = [
    ['form', form],
    ['name', name],
    ['sites', sites.join('\n')],
    ['value', value],
    ['seed', ''],
    ['replaces', 'on'],
  ];
  return pageOf(await browser.post('/console/secrets', fields)).status;
}

/** The bytes of a screenshot in a result. Any few letters occur somewhere in them. */
const PICTURE = /(?<="data":")[\w+/=]{1000,}(?=")/gu;

/** A model of Ana's in its own session, which records every answer. */
export class Model {
  readonly #rig: Rig;
  readonly session: string;
  readonly told: string[] = [];

  constructor(rig: Rig, session: string) {
    this.#rig = rig;
    this.session = session;
  }

  async ask(tool: string, args: Record<string, unknown> = {}): Promise<Answer> {
    const answer = await this.#rig.ana.caller.call(tool, { session: this.session, ...args });
    this.told.push(answer.body.replaceAll(PICTURE, ''));
    return answer;
  }

  /** @throws if the call is refused */
  async must(tool: string, args: Record<string, unknown> = {}): Promise<Answer> {
    const answer = await this.ask(tool, args);
    if (answer.isRefused) throw new Error(`${tool}: ${answer.text.slice(0, 300)}`);
    return answer;
  }

  go(url: string): Promise<Answer> {
    return this.must('browser_navigate', { url });
  }

  fill(selector: string, value = 'secret:bank'): Promise<Answer> {
    return this.ask('browser_fill', { selectors: [selector], values: [value] });
  }

  /** All ways to look at a page. */
  async lookAround(): Promise<void> {
    for (const [tool, args] of LOOKS) await this.ask(tool, args);
  }

  /** The part of a value that it has learned; `null` if none. */
  knows(value = VALUE): string | null {
    for (const text of this.told) {
      const found = partOf(text, value);
      if (found !== null) return `it is told “${found}”`;
    }
    return null;
  }
}

/** @returns the text that got through, or `null` */
export type Run = (model: Model, rig: Rig) => Promise<string | null>;

const LOOKS = [
  ['browser_snapshot', { compact: false }],
  ['browser_html', { keep_scripts: true }],
  ['browser_read', {}],
  ['browser_read', { selector: 'body' }],
  ['browser_log', { kind: 'console' }],
  ['browser_log', { kind: 'requests' }],
  ['browser_files', {}],
] as const;

const PART = 4;

/** A part of a value in a text: unchanged, backwards or in any case. */
export function partOf(text: string, value: string): string | null {
  const lower = text.toLowerCase();
  for (const way of [value, Array.from(value).toReversed().join('')]) {
    for (let at = 0; at + PART <= way.length; at += 1) {
      const part = way.slice(at, at + PART).toLowerCase();
      const place = lower.indexOf(part);
      if (place !== -1) return text.slice(Math.max(0, place - 30), place + 30);
    }
  }
  return null;
}

/** A page whose fields show text that is stored nowhere. */
export const LOGIN =
  '<!doctype html><title>Sign in</title><form method="post" action="/in"><input id="user" name="user"><input id="pass" name="pass" type="password"><button id="go">Go</button></form>';

/** Encodings that people and programs easily undo. @returns the first one found */
export function encodedIn(told: readonly string[]): string | null {
  const each = (write: (code: number) => string) => Array.from(VALUE, (letter) => write(letter.charCodeAt(0))).join('');
  const base64 = [0, 1, 2].map((before) =>
    Buffer.from('x'.repeat(before) + VALUE)
      .toString('base64')
      .slice(4, -4),
  );
  const forms = {
    base64,
    hex: [each((code) => code.toString(16))],
    'escapes of addresses': [each((code) => `%${code.toString(16)}`)],
    'escapes of HTML': [each((code) => `&#${code};`)],
    'escapes of scripts': [each((code) => String.raw`\\x${code.toString(16)}`)],
    dashes: [VALUE.match(/.{4}/g)?.join('-') ?? ''],
    'wide letters': [each((code) => String.fromCharCode(code + 0xfee0))],
  };
  for (const [name, texts] of Object.entries(forms)) {
    if (told.some((text) => texts.some((form) => text.includes(form)))) return `it is told in ${name}`;
  }
  return null;
}
