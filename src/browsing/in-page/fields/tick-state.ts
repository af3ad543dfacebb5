import { findLabelledControl } from '#browsing/in-page/elements/safe-dom.ts';
import type { AnyElement } from '#browsing/in-page/elements/safe-dom.ts';
import type { Tick } from '#browsing/in-page/script-types.ts';

const ROLES = ['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio'];
/** Elements that act on a click themselves, so that the label around them does not. */
const ACTING = `a[href],button,input,select,textarea,label,${ROLES.map((role) => `[role=${role}]`).join(',')}`;

/** State of a check box, switch or radio button, or of the one that a click on this label sets; `null` for others. */
export function tickState(this: AnyElement): Tick | null {
  // A form's fields can hide its members.
  if (this.localName === 'form') return null;
  const control = findLabelledControl(this.closest<AnyElement>(ACTING) ?? this);
  if (!control.isConnected) return null;
  const isNative = control.localName === 'input' && /^(?:checkbox|radio)$/u.test(control.type ?? '');
  const role = isNative ? (control.type ?? '') : (control.getAttribute('role') ?? '');
  const isRadio = role.endsWith('radio');
  const aria = control.getAttribute('aria-checked');
  if (!ROLES.includes(role) || (!isNative && aria === null)) return null;
  const isMixed = isNative ? !isRadio && control.matches(':indeterminate') : aria === 'mixed';
  const isOn = isNative ? control.checked === true : aria === 'true';
  return { isRadio, state: isMixed ? 'mixed' : isOn ? 'on' : 'off' };
}
