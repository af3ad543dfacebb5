import type { Choices } from './scripts.ts';

/** The list that has the focus. A browser shows its choices outside the page. `null` when something else has the focus. */
export function listChoices(max: number): Choices | null {
  const list = focused();
  if (list === null) return null;
  const labels = [...list.options].slice(0, max).map(({ label, disabled }) => (disabled ? '' : label));
  return { labels, chosen: list.selectedIndex };
}

/** Chooses as a person does: the page gets the events. */
export function chooseInList(at: number): void {
  const list = focused();
  const option = list?.options[at];
  if (list === null || option === undefined || option.disabled) return;
  if (list.multiple) option.selected = !option.selected;
  else list.selectedIndex = at;
  list.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  list.dispatchEvent(new Event('change', { bubbles: true }));
}

/** The frame that has the focus, which another document knows more of. */
export function focusedFrame(): Element | null {
  const at = innermost();
  return at instanceof HTMLIFrameElement || at instanceof HTMLFrameElement ? at : null;
}

function focused(): HTMLSelectElement | null {
  const at = innermost();
  return at instanceof HTMLSelectElement && !at.disabled ? at : null;
}

function innermost(): Element | null {
  let at: Element | null = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at;
}
