import { formFacts } from '#browsing/ask/field-kinds.ts';
import type { Act, ActKind } from '#browsing/ask/act-facts.ts';
import { abortable } from '#core/flow/abort.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { focusedFrame } from '#browsing/act/focused-frame.ts';
import { innerHitAt, findFrameRoot } from '#browsing/act/inner-frame.ts';
import type { ElementSeen } from '#browsing/in-page/asking/seen.ts';
import { callIn, callOn, failAsGone } from '#browsing/tabs/call-in-page.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import type { CheckedInput, Frame } from '#browsing/tabs/tab.ts';

/** An act with the current page. `box`: box of the element, as fractions of the viewport; `null` inside a frame. */
export type SeenAct = { act: Act; frame: Frame; box: ElementSeen['box'] | null };

/**
 * Finds the control that an input would operate, immediately before the input is sent.
 * @returns `null` if there is none
 */
export async function seenAct(tab: OpenTab, input: CheckedInput, signal: AbortSignal): Promise<SeenAct | null> {
  const found = await elementFor(tab, input, signal);
  if (found === null) return null;
  const { seen, frame } = found;
  const kind = kindOf(input, seen);
  if (kind === null) return null;
  const { form, box, ...facts } = seen;
  const submits = form !== null && (form.submits || (input.kind === 'key' && input.key === 'Submit'));
  const element = { ...facts, form: form === null ? null : formFacts(form), submits };
  const act = { kind, acceptsDialog: tab.dialogAnswer.accept, element };
  return { act, frame, box: frame.parentId === null ? box : null };
}

type Found = { seen: ElementSeen; frame: Frame };

async function elementFor(tab: OpenTab, input: CheckedInput, signal: AbortSignal): Promise<Found | null> {
  if (input.kind === 'upload') {
    const { element } = input;
    return { seen: await callOn(element, pageScripts.actFacts, [], signal), frame: element.frame };
  }
  if (input.kind === 'choose') {
    const { element, wanted } = input;
    return { seen: await callOn(element, pageScripts.choiceFacts, [wanted], signal), frame: element.frame };
  }
  if (input.kind === 'press' || input.kind === 'drop') return elementAt(tab, input, signal);
  const asked = abortable(focusedFrame(tab), signal);
  const frame = await asked.catch((error: unknown) => failAsGone(error, 'page'));
  const accessKey = input.kind === 'access_key' ? input.character : '';
  const seen = await callIn(tab, frame, pageScripts.focusedFacts, [accessKey], signal);
  return seen === null ? null : { seen, frame };
}

async function elementAt(tab: OpenTab, { x, y }: { x: number; y: number }, signal: AbortSignal): Promise<Found | null> {
  const main = tab.main();
  const whole = await findFrameRoot(tab, main, false, signal);
  const inner = await innerHitAt(whole, { x, y }, signal);
  if (inner !== null)
    return { seen: await callOn(inner.hit, pageScripts.actFacts, [], signal), frame: inner.hit.frame };
  const seen = await callIn(tab, main, pageScripts.factsAt, [x, y], signal);
  return seen === null ? null : { seen, frame: main };
}

function kindOf(input: CheckedInput, { kind }: ElementSeen): ActKind | null {
  const isText = kind === 'text' || kind === 'multiline';
  switch (input.kind) {
    case 'upload':
    case 'choose':
      return input.kind;
    case 'drop':
      return 'drop';
    case 'press':
      return 'click';
    case 'access_key':
      return isText ? null : 'click';
    case 'key':
      if (input.key === 'Delete') return isText || kind === 'choice' ? null : 'delete_key';
      if (input.key === 'Space') return isText ? null : 'click';
      return isText || kind === 'check' || kind === 'choice' ? 'enter' : 'click';
  }
}
