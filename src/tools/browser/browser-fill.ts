import * as z from 'zod';
import { isOnlyFormatted } from '#browsing/act/fields/fill.ts';
import type { FilledField } from '#browsing/session/operations/filling/fill-fields.ts';
import { sanitizePageText, toComparableText, quotePageText } from '#browsing/view/words.ts';
import { fail } from '#core/failures/failure.ts';
import { PAGE_QUOTE_CHARS_MAX } from '#core/limits.ts';
import { countWithUnit, oneLine } from '#core/text/text.ts';
import { defineTool } from '#tools/define-tool.ts';
import {
  createActionAnswer,
  actionFields,
  actionInput,
  toCallOptions,
  suggestChooseSteps,
  dialogTextUnusedRule,
  ONLY_TEXT_TYPED_NOTE,
} from './shapes.ts';

const FILL_CHARS_MAX = 100_000;
/**
 * Maximum fields that one call sets, as in a long form. A field takes a tenth of a second, so the call ends in time.
 */
const FILL_FIELDS_MAX = 30;

const changedField = z.strictObject({ selector: z.string(), gone: z.boolean(), value_now: z.string().optional() });

export const browserFill = defineTool({
  name: 'browser_fill',
  toolset: 'browser',
  title: 'Fill in fields',
  historyWords: ['Filled fields on', 'fill fields on'],
  description:
    'Fill in (complete) a form: enter (put) text, a name, email, numbers or a date in one or many fields (inputs). Sets check boxes and radio buttons, and selects an option from a list (drop-down). Each of selectors gets the value at the same position in values, replacing the old value.',
  hints: { readOnly: false, destructive: true, openWorld: true },
  takesLongText: true,
  input: z.strictObject({
    selectors: z
      .array(z.string())
      .min(1)
      .max(FILL_FIELDS_MAX)
      .describe('The fields, each by its label, a ref (@e12), role and name (textbox "Name"), or CSS.'),
    values: z
      .array(z.string().max(FILL_CHARS_MAX))
      .describe(
        'One value for each field: text, a date or number, a list option, true or false for a check box or radio button, or secret:NAME for a stored secret.',
      ),
    ...actionInput,
  }),
  unused: [dialogTextUnusedRule],
  output: z.strictObject({ ...actionFields, fields_set: z.int(), changed_fields: z.array(changedField) }),
  check: refuseUneven,
  async run(input, { services }) {
    const { selectors, values, snapshot } = input;
    const { state, result } = await services.browser.call(
      input.session,
      'fill',
      { targets: selectors, values, snapshot },
      toCallOptions(input),
    );
    const changed = result.fields.filter(({ differs, isThere }) => differs || !isThere);
    const isOne = selectors.length === 1;
    const words = isOne ? 'Filled' : `Filled ${selectors.length} fields`;
    const untaken = changed.filter(isUntaken);
    const isFormatted = ({ isThere, value }: FilledField, wanted = '') =>
      isThere && value !== null && isOnlyFormatted(value, wanted);
    const formatted = result.fields.filter(
      (one, at) => changed.includes(one) && !untaken.includes(one) && isFormatted(one, values[at]),
    );
    const others = changed.length - untaken.length - formatted.length;
    const ofThem = (count: number) => (isOne ? 'it' : `${count} of them`);
    const head = [
      isOne && untaken.length === 1 ? 'The field did not accept the value' : words,
      ...(isOne || untaken.length === 0 ? [] : [`${countWithUnit(untaken.length, 'field')} did not accept the value`]),
      ...(formatted.length === 0 ? [] : [`the page formatted ${ofThem(formatted.length)}`]),
      ...(others === 0 ? [] : [`the page changed ${ofThem(others)}`]),
    ].join('; ');
    const texts = result.fields.flatMap(({ target, isOnlyText }, at) =>
      isOnlyText === true ? { target, value: values[at] } : [],
    );
    const notes = [...(untaken.length === 0 ? [] : [UNTAKEN]), ...(texts.length === 0 ? [] : [ONLY_TEXT_TYPED_NOTE])];
    const partlyNamed = result.fields.filter(
      (one, at) => !changed.includes(one) && isPartlyNamed(one, values[at] ?? ''),
    );
    const lines = [...changed, ...partlyNamed].map(changedLine).join('\n');
    const answer = await createActionAnswer(state, result, `${head}.`, notes, lines, suggestChooseSteps(texts, state));
    return {
      ...answer,
      structured: { ...answer.structured, fields_set: selectors.length, changed_fields: changed.map(changedValue) },
    };
  },
});

const SELECTOR_CHARS_MAX = 80;

function isUntaken({ kind, differs, isThere, isKept }: FilledField): boolean {
  return differs && isThere && (kind === 'check' || kind === 'choice' || isKept === true);
}

/** True for an option of a drawn list that was found by a part of its name: the answer then names it. */
function isPartlyNamed({ kind, value, chosen }: FilledField, wanted: string): boolean {
  if (kind !== 'choice' || value === null || chosen !== undefined) return false;
  return !toComparableText(wanted).includes(toComparableText(value.replaceAll('\n', ' | ')));
}

const UNTAKEN =
  'A page may refuse a value, require another field first, or react only to a click on the label of a box.';

function changedLine({ target: field, kind, isThere, value }: FilledField): string {
  const name = oneLine(field, SELECTOR_CHARS_MAX);
  if (!isThere) return `${name} is gone from the page`;
  if (kind === 'check') return `${name} is still ${value === 'true' ? 'on' : 'off'}`;
  return value === null
    ? `${name} holds something else`
    : `${name} holds ${quotePageText(value, PAGE_QUOTE_CHARS_MAX)}`;
}

function changedValue({ target: field, isThere, value }: FilledField) {
  return {
    selector: field,
    gone: !isThere,
    ...(value === null || !isThere ? {} : { value_now: sanitizePageText(value, PAGE_QUOTE_CHARS_MAX) }),
  };
}

/** Refuses `selectors` and `values` of different lengths. The hint shows the corrected call as far as it is known. */
function refuseUneven({ selectors, values }: { selectors: readonly string[]; values: readonly string[] }): void {
  if (selectors.length === values.length) return;
  const fields = Array.from({ length: Math.max(selectors.length, values.length) }, (_, at) => ({
    selector: oneLine(selectors[at] ?? '<selector>', SELECTOR_CHARS_MAX),
    value: oneLine(values[at] ?? `<value of ${selectors[at]}>`, SELECTOR_CHARS_MAX),
  }));
  const call = { selectors: fields.map((field) => field.selector), values: fields.map(({ value }) => value) };
  fail({
    code: 'invalid_argument',
    field: 'values',
    problem: `${values.length} for ${selectors.length} selectors: each field needs its own value, at the same position`,
    hint: `Call browser_fill with ${JSON.stringify(call)}. Nothing was filled.`,
  });
}
