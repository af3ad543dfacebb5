import * as z from 'zod';

/**
 * Schemas of the actions of a browser call, detailed enough to repeat them without a model. Names and texts come from
 * the page or the model, with secrets masked.
 */

const target = z.object({
  /** ARIA role; empty for an element without a role. */
  role: z.string(),
  name: z.string(),
  /** Index among the elements with this role and name, from 0; `null` if there is only one, or if unknown. */
  nth: z.int().nullable(),
  /** URL of the frame that contains the element; `null` for the page itself. */
  frame: z.string().nullable(),
});
export type ScriptTarget = z.output<typeof target>;

/** A value to type. `secret`: name of a stored secret. `withheld`: must not be stored: a password, or typed keys. */
const value = z.union([
  z.object({ text: z.string() }),
  z.object({ secret: z.string(), wantsCode: z.boolean() }),
  z.object({ withheld: z.literal(true) }),
]);
export type ScriptValue = z.output<typeof value>;

const BUTTONS = ['left', 'right', 'middle'] as const;

const scriptStep = z.discriminatedUnion('do', [
  z.object({ do: z.literal('go'), url: z.string() }),
  z.object({ do: z.literal('history'), to: z.enum(['back', 'forward', 'reload']) }),
  z.object({
    do: z.literal('click'),
    at: target,
    button: z.enum(BUTTONS),
    count: z.int(),
    modifiers: z.array(z.string()),
  }),
  z.object({ do: z.literal('hover'), at: target }),
  z.object({ do: z.literal('drag'), at: target, to: target }),
  z.object({ do: z.literal('fill'), at: target, field: z.enum(['text', 'check', 'choice']), value }),
  z.object({ do: z.literal('type'), at: target.nullable(), text: value.nullable(), keys: z.array(z.string()) }),
  z.object({ do: z.literal('see'), text: z.string(), isGone: z.boolean() }),
  z.object({ do: z.literal('other'), what: z.string() }),
]);
export type ScriptStep = z.output<typeof scriptStep>;

export const scriptedCallSchema = z.object({
  steps: z.array(scriptStep),
  url: z.string().nullable(),
  text: z.string().nullable(),
});
export type ScriptedCall = z.output<typeof scriptedCallSchema>;

/** Applies `change` to every text of a page or a model, for example to mask secrets in all of them. */
export function mapScriptTexts({ steps, url, text }: ScriptedCall, change: (text: string) => string): ScriptedCall {
  const orNull = (given: string | null) => (given === null ? null : change(given));
  return { steps: steps.map((step) => changeStep(step, change)), url: orNull(url), text: orNull(text) };
}

function changeStep(step: ScriptStep, change: (text: string) => string): ScriptStep {
  const at = ({ role, name, nth, frame }: ScriptTarget): ScriptTarget => {
    return { role, name: change(name), nth, frame: frame === null ? null : change(frame) };
  };
  const valued = (given: ScriptValue): ScriptValue => ('text' in given ? { text: change(given.text) } : given);
  switch (step.do) {
    case 'go':
      return { ...step, url: change(step.url) };
    case 'click':
    case 'hover':
      return { ...step, at: at(step.at) };
    case 'drag':
      return { ...step, at: at(step.at), to: at(step.to) };
    case 'fill':
      return { ...step, at: at(step.at), value: valued(step.value) };
    case 'type':
      return {
        ...step,
        at: step.at === null ? null : at(step.at),
        text: step.text === null ? null : valued(step.text),
        keys: step.keys.map(change),
      };
    case 'see':
      return { ...step, text: change(step.text) };
    case 'history':
    case 'other':
      return step;
  }
}
