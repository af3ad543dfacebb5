import { setTimeout as sleep } from 'node:timers/promises';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import type { Call, Subject } from './subjects.ts';

/** Cost of a task for a model: tokens that it read and wrote, and the time that it waited for tools. */
export type Cost = { calls: number; tokensIn: number; tokensOut: number; ms: number };

/** The error answer of a tool. */
export class ToolError extends Error {}

/** Makes calls as a model does, and counts their cost. */
export class Meter {
  readonly cost: Cost = { calls: 0, tokensIn: 0, tokensOut: 0, ms: 0 };
  /** Calls and answers, to explain failures. */
  readonly story: string[] = [];
  readonly #subject: Subject;

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  /**
   * Makes the calls and returns the last answer.
   * @throws {ToolError}
   */
  async do(calls: readonly Call[]): Promise<string> {
    let read = '';
    for (const call of calls) {
      this.cost.calls += 1;
      this.cost.tokensOut += tokens(`${call.tool} ${JSON.stringify(call.args)}`);
      this.story.push(`> ${call.tool} ${JSON.stringify(call.args)}`);
      const { text, ms, isError } = await this.#subject.call(call);
      this.story.push(text);
      this.cost.ms += ms;
      this.cost.tokensIn += tokens(text);
      if (isError) throw new ToolError(`${call.tool} ${JSON.stringify(call.args)}: ${text}`);
      read = text;
    }
    return read;
  }

  /** @throws if the answer has no such element */
  refOf(read: string, label: string): string {
    const ref = this.#subject.refOf(read, label);
    if (ref === null) throw new Error(`There is no ${label} in:\n${read}`);
    return ref;
  }

  /** Makes the calls. If the sign is missing, looks again, as a model would. */
  async until(sign: string, calls: readonly Call[], again = [this.#subject.snapshot()]): Promise<string> {
    let read = await this.do(calls);
    for (let looks = 0; !this.#subject.shown(read).includes(sign) && looks < LOOKS_MAX; looks += 1) {
      await sleep(LOOK_AGAIN_MS);
      this.cost.ms += LOOK_AGAIN_MS;
      read = await this.do(again);
    }
    if (!this.#subject.shown(read).includes(sign))
      throw new Error(`${this.#subject.name} does not see ${sign} in:\n${read}`);
    return read;
  }
}

const LOOKS_MAX = 5;
const LOOK_AGAIN_MS = 250;

export function tokens(text: string): number {
  return encode(text).length;
}
