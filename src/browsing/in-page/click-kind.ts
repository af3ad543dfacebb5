import { controlOf } from './elements.ts';
import type { AnyElement } from './elements.ts';
import type { ClickKind } from './scripts.ts';

export function clickKind(this: AnyElement): ClickKind {
  const { localName, type = '', isContentEditable } = controlOf(this);
  if (localName === 'option' || localName === 'optgroup') return 'option';
  if (localName === 'select') return 'select';
  if (localName === 'textarea' || isContentEditable) return 'text';
  if (localName !== 'input') return 'plain';
  if (type === 'file') return 'file';
  if (type === 'color') return 'picker';
  return /^(?:button|submit|reset|image|checkbox|radio|range|hidden)$/u.test(type) ? 'plain' : 'text';
}
