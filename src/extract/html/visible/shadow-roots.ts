import { childrenOf, isElement, isText, nextAfter, nextInside } from '#extract/html/tree.ts';
import type { DomElement, DomNode } from '#extract/html/tree.ts';

/** Maximum depth of a slot that is filled, because nested slots could create a tree of unlimited depth. */
const SLOT_DEPTH_MAX = 50;
const BLANK = /^\s*$/;

/**
 * Moves the children of a shadow host into the slots of its declarative shadow root, where browsers show them (DOM
 * §4.2.2). Children without a slot are removed, because browsers do not show them. Linear in the tree.
 */
export function fillSlots(root: DomElement): void {
  const hosts = new Set<DomElement>();
  for (let node = nextInside(root, root); node !== null;) {
    const shadow = isElement(node) && node.localName === 'template' ? node : null;
    const host = shadow?.parentNode ?? null;
    if (shadow === null || host === null) node = nextInside(root, node);
    else if (hosts.has(host)) {
      // A host has one shadow root. Browsers treat a second `template` as an ordinary one, which is not shown.
      node = nextAfter(root, shadow);
      shadow.remove();
    } else {
      hosts.add(host);
      fill(shadow, host);
      node = nextInside(root, shadow);
    }
  }
}

function fill(shadow: DomElement, host: DomElement): void {
  const given = childrenOf(host).filter((node) => node !== shadow && !isBlankText(node));
  if (given.length === 0) return;
  const slots = slotsIn(shadow);
  const filled = new Set<DomElement>();
  for (const node of given) {
    if (isElement(node) && node.localName === 'template') continue;
    const slot = slots.get((isElement(node) ? node.getAttribute('slot') : null) ?? '');
    if (slot !== undefined && depthOf(slot) > SLOT_DEPTH_MAX) continue;
    node.remove();
    if (slot === undefined) continue;
    if (!filled.has(slot)) for (const fallback of childrenOf(slot)) fallback.remove();
    filled.add(slot);
    slot.append(node);
    setDepths(node, slot.depth + 1);
  }
}

function isBlankText(node: DomNode): boolean {
  return isText(node) && BLANK.test(node.textContent);
}

/** Returns the first slot of each name. Slots inside another shadow root belong to its host. */
function slotsIn(shadow: DomElement): Map<string, DomElement> {
  const slots = new Map<string, DomElement>();
  for (let node = nextInside(shadow, shadow); node !== null;) {
    if (isElement(node) && node.localName === 'slot') {
      const name = node.getAttribute('name') ?? '';
      if (!slots.has(name)) slots.set(name, node);
    }
    const isOther = isElement(node) && node.localName === 'template';
    node = isOther ? nextAfter(shadow, node) : nextInside(shadow, node);
  }
  return slots;
}

function depthOf(element: DomElement): number {
  let depth = 0;
  for (let at = element.parentNode; at !== null; at = at.parentNode) depth += 1;
  return depth;
}

export function setDepths(moved: DomNode, depth: number): void {
  if (!isElement(moved)) return;
  moved.depth = depth;
  for (let node = nextInside(moved, moved); node !== null; node = nextInside(moved, node)) {
    if (isElement(node)) node.depth = (node.parentNode?.depth ?? 0) + 1;
  }
}
