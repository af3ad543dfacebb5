import type { Frame } from './segments.ts';

export const LIST_TAGS: ReadonlySet<string> = new Set(['ul', 'ol', 'dl']);
/** Elements that the items of a plain list never contain. With them, each item is a part of its own, such as a post. */
const PARTS: ReadonlySet<string> = new Set(
  'h1 h2 h3 h4 h5 h6 article section nav header footer aside form button main'.split(' '),
);
/** Elements around which a `div` is only a wrapper. */
const WRAPPED: ReadonlySet<string> = new Set(['ul', 'ol', 'dl', 'pre', 'table', 'div']);

/**
 * The outermost lists whose items contain only text, code, tables and lists. @param frames outer frames before inner
 * ones
 */
export function plainLists(frames: readonly Frame[]): Frame[] {
  const withParts = new Set<Frame>();
  const inner = new Map<Frame, Frame | null>();
  for (const frame of frames) {
    const { parent } = frame;
    if (parent !== null) inner.set(parent, inner.has(parent) ? null : frame);
  }
  for (const frame of frames.toReversed()) {
    if (!withParts.has(frame) && !PARTS.has(frame.element.localName) && !isDivided(frame, inner)) continue;
    withParts.add(frame);
    if (frame.parent !== null) withParts.add(frame.parent);
  }
  const within = new Set<Frame>();
  const found: Frame[] = [];
  for (const frame of frames) {
    const isWithin = frame.parent !== null && within.has(frame.parent);
    const isPlain = LIST_TAGS.has(frame.element.localName) && !withParts.has(frame);
    if (isWithin || isPlain) within.add(frame);
    if (isPlain && !isWithin) found.push(frame);
  }
  return found;
}

/** A `div` with several texts or wrapped blocks is layout for a part of the page. */
function isDivided(frame: Frame, inner: ReadonlyMap<Frame, Frame | null>): boolean {
  if (frame.element.localName !== 'div' || frame.blocks === 1) return false;
  const only = inner.get(frame);
  return only === undefined || only === null || !WRAPPED.has(only.element.localName);
}
