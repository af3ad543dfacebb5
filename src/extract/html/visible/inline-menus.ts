import { BLOCK_TAGS, MOVED_PANEL_TAG, DomElement, classOf, isElement, isText, nextInside } from '#extract/html/tree.ts';
import type { DomNode } from '#extract/html/tree.ts';

/** Matches the classes of menus that a style sheet hides until a user opens them. */
export const MENU_NAMES = /(?:^|\s)dropdown-(?:menu|content)(?:\s|$)/;
export const MENU_ROLE = 'menu';
const OPEN = /(?:^|\s)(?:show|open|is-open)(?:\s|$)/;
/** Maximum steps up from a menu to the paragraph that it interrupts. Real pages have fewer. */
const STEPS_MAX = 8;

/** Moves closed menus, which users see only after a click, out of the paragraph or code around them. Linear. */
export function separateInlineMenus(body: DomElement): void {
  const menus: DomElement[] = [];
  for (let node: DomNode | null = body; node !== null; node = nextInside(body, node)) {
    if (isElement(node) && isClosedMenu(node)) menus.push(node);
  }
  for (const menu of menus) {
    const block = sentenceAround(menu);
    if (block === null) continue;
    const box = new DomElement(MOVED_PANEL_TAG);
    menu.remove();
    box.append(menu);
    block.parentNode?.insertBefore(box, block.nextSibling);
  }
}

function isClosedMenu(element: DomElement): boolean {
  const names = classOf(element);
  const isMenu = MENU_NAMES.test(names) || element.getAttribute('role') === MENU_ROLE;
  return isMenu && !OPEN.test(names);
}

/** Returns the paragraph or code that the menu interrupts, or `null`. */
function sentenceAround(menu: DomElement): DomElement | null {
  let continues = false;
  let at = menu;
  for (let step = 0; step < STEPS_MAX && at.parentNode !== null; step += 1) {
    const parent: DomElement = at.parentNode;
    continues ||= at !== menu && isTextBeside(at);
    if (parent.localName === 'pre') return parent;
    if (BLOCK_TAGS.has(parent.localName)) return continues ? parent : null;
    at = parent;
  }
  return null;
}

function isTextBeside({ previousSibling, nextSibling }: DomElement): boolean {
  return [previousSibling, nextSibling].some((node) => node !== null && isText(node) && node.textContent.trim() !== '');
}
