import type { DomElement } from './dom.ts';
import { pageScript } from './page-script.ts';

/** What a click on the element would open beside the page: pickers that no snapshot and no screenshot shows. */
export type ClickKind = 'plain' | 'option' | 'select' | 'file' | 'picker';

export const CLICK_KIND = pageScript(clickKind);

function clickKind(this: DomElement): ClickKind {
  const worked = this.localName === 'label' ? (this.control ?? this) : this;
  if (worked.localName === 'option' || worked.localName === 'optgroup') return 'option';
  if (worked.localName === 'select') return 'select';
  if (worked.localName !== 'input') return 'plain';
  if (worked.type === 'file') return 'file';
  return worked.type === 'color' ? 'picker' : 'plain';
}
