import { isBlank } from '#core/text/blank.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { everyElement } from '#browsing/tree/ax-tree.ts';
import { toComparableText } from '#browsing/view/words.ts';
import type { AriaHiddenLine } from './page-facts.ts';

/**
 * Adds visible text that the accessibility tree lacks, as in some code editors. Each line becomes a paragraph after the
 * text that precedes it, in the innermost accessible element around it. A line without words becomes a canvas.
 */
export function addAriaHiddenLines(root: AxElement, lines: readonly AriaHiddenLine[]): void {
  if (lines.length === 0) return;
  const byNode = new Map<number, AxElement>();
  for (const element of everyElement(root)) {
    const { backendNodeId } = element;
    if (backendNodeId !== null && !byNode.has(backendNodeId)) byNode.set(backendNodeId, element);
  }
  let last: { after: number | null; paragraph: AxElement } | null = null;
  for (const { node, words, unread, after, around } of lines) {
    const parent = around.flatMap((id) => byNode.get(id) ?? []).find(holdsParts) ?? root;
    const beside = last?.after === after ? last.paragraph : byNode.get(after ?? 0);
    if (words === '' && byNode.has(node)) continue;
    const bare = words.trimStart();
    const indent = new Map([['indent', words.length - bare.length]]);
    const paragraph =
      words === '' ? elementOf('Canvas', '', node, parent) : elementOf('paragraph', '', node, parent, indent);
    if (words !== '')
      paragraph.children.push(elementOf('StaticText', bare, null, paragraph, new Map([['unread', unread]])));
    parent.children.splice(placeBehind(parent, beside), 0, paragraph);
    last = { after, paragraph };
  }
}

/** Drops invisible list options that repeat visible text, because some dropdowns add such a list for screen readers. */
export function dropRepeatedOptions(root: AxElement, unseen: ReadonlySet<number>): void {
  if (unseen.size === 0) return;
  const seen = new Set<string>();
  const hidden = new Map<AxElement, string[]>();
  for (const element of everyElement(root)) {
    if (element.role === 'option') {
      const texts = [...everyElement(element)].filter(({ role }) => role === 'StaticText');
      const isHidden = texts.length > 0 && texts.every(({ backendNodeId }) => unseen.has(backendNodeId ?? 0));
      if (isHidden)
        hidden.set(
          element,
          texts.map(({ name }) => toComparableText(name)),
        );
    } else if (element.role === 'StaticText' && !unseen.has(element.backendNodeId ?? 0))
      seen.add(toComparableText(element.name));
  }
  for (const [option, words] of hidden) {
    const { parent } = option;
    if (parent === null || !(seen.has(toComparableText(option.name)) || words.every((said) => seen.has(said))))
      continue;
    parent.children.splice(parent.children.indexOf(option), 1);
    if (parent.role === 'listbox' && parent.children.length === 0 && parent.parent !== null)
      parent.parent.children.splice(parent.parent.children.indexOf(parent), 1);
  }
}

/** Empties the values of rich text editors that contain only their placeholder, which some editors store as text. */
export function dropPlaceholders(root: AxElement, placeholders: ReadonlyMap<number, string>): void {
  if (placeholders.size === 0) return;
  for (const element of everyElement(root)) {
    const placeholder = placeholders.get(element.backendNodeId ?? 0);
    if (placeholder !== undefined && isBlank(element.value.replace(placeholder, ''))) element.value = '';
  }
}

/** False for text nodes, and for editable elements, because their line already shows their value. */
function holdsParts({ role, properties }: AxElement): boolean {
  return role !== 'StaticText' && !properties.has('editable');
}

function placeBehind(parent: AxElement, beside: AxElement | undefined): number {
  for (let at = beside ?? null; at !== null; at = at.parent) {
    if (at.parent === parent) return parent.children.indexOf(at) + 1;
  }
  return 0;
}

function elementOf(
  role: string,
  name: string,
  backendNodeId: number | null,
  parent: AxElement,
  properties: AxElement['properties'] = new Map(),
): AxElement {
  return {
    document: parent.document,
    backendNodeId,
    role,
    name,
    value: '',
    description: '',
    url: '',
    properties,
    labels: [],
    notes: [],
    ignored: false,
    parent,
    children: [],
  };
}
