import { abortable } from '#core/flow/abort.ts';
import * as pageScripts from '#generated/page-scripts.js';
import type { Field } from '#browsing/in-page/scripts.ts';
import { callOn, failAsGone } from '#browsing/tabs/call-in-page.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';

/**
 * Reads a field. Role and state of a custom element may be set through `ElementInternals`, which scripts of other
 * worlds cannot read; the accessibility tree has both.
 * @throws {PeriscopeError} `element_not_found` if it is gone
 */
export async function readField(element: PageElement, signal: AbortSignal): Promise<Field> {
  const field = await callOn(element, pageScripts.field, [element.role], signal);
  const isDrawn = field.kind === 'check' && field.type !== 'checkbox' && field.type !== 'radio';
  return isDrawn ? { ...field, value: String(await isChecked(element, signal)) } : field;
}

async function isChecked({ frame, objectId, role }: PageElement, signal: AbortSignal): Promise<boolean> {
  const asked = frame.session.send('Accessibility.getPartialAXTree', { objectId, fetchRelatives: false });
  const { nodes } = await abortable(asked, signal).catch((error: unknown) => failAsGone(error, role));
  const state: unknown = nodes[0]?.properties?.find(({ name }) => name === 'checked')?.value.value;
  return state === 'true' || state === true;
}
