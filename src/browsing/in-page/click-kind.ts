import { controlOf } from './elements.ts';
import type { AnyElement } from './elements.ts';
import type { ClickKind } from './scripts.ts';

export function clickKind(this: AnyElement): ClickKind {
  const { localName, type } = controlOf(this);
  if (localName === 'option' || localName === 'optgroup') return 'option';
  if (localName === 'select') return 'select';
  if (localName !== 'input') return 'plain';
  if (type === 'file') return 'file';
  return type === 'color' ? 'picker' : 'plain';
}
