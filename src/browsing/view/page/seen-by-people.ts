import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { everyElement } from '#browsing/tree/ax-tree.ts';
import { alike } from '#browsing/view/words.ts';
import type { SilentLine } from './page-facts.ts';

/**
 * Adds to a tree what people see and accessibility does not have: each line as a paragraph, in the innermost element around it
 * that the tree has, behind the text before it.
 */
export function addSilent(root: AxElement, lines: readonly SilentLine[]): void {
  if (lines.length === 0) return;
  const byNode = new Map<number, AxElement>();
  for (const element of everyElement(root)) {
    const { backendNodeId } = element;
    if (backendNodeId !== null && !byNode.has(backendNodeId)) byNode.set(backendNodeId, element);
  }
  let last: { after: number | null; paragraph: AxElement } | null = null;
  for (const { node, words, after, around } of lines) {
    const parent = around.flatMap((id) => byNode.get(id) ?? []).find(holdsParts) ?? root;
    const beside = after !== null && last?.after === after ? last.paragraph : byNode.get(after ?? 0);
    const paragraph = elementOf('paragraph', '', node, parent);
    paragraph.children.push(elementOf('StaticText', words, null, paragraph));
    parent.children.splice(placeBehind(parent, beside), 0, paragraph);
    last = { after, paragraph };
  }
}

/**
 * Drops the options that a list holds for assistive technology alone, where the page draws others with the same words that
 * people see and click.
 */
export function dropEchoes(root: AxElement, unseen: ReadonlySet<number>): void {
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
          texts.map(({ name }) => alike(name)),
        );
    } else if (element.role === 'StaticText' && !unseen.has(element.backendNodeId ?? 0)) seen.add(alike(element.name));
  }
  for (const [option, words] of hidden) {
    const { parent } = option;
    if (parent === null || !(seen.has(alike(option.name)) || words.every((said) => seen.has(said)))) continue;
    parent.children.splice(parent.children.indexOf(option), 1);
    if (parent.role === 'listbox' && parent.children.length === 0 && parent.parent !== null)
      parent.parent.children.splice(parent.parent.children.indexOf(parent), 1);
  }
}

/** What keys can edit is shown by its value. */
function holdsParts({ role, properties }: AxElement): boolean {
  return role !== 'StaticText' && !properties.has('editable');
}

function placeBehind(parent: AxElement, beside: AxElement | undefined): number {
  for (let at = beside ?? null; at !== null; at = at.parent) {
    if (at.parent === parent) return parent.children.indexOf(at) + 1;
  }
  return 0;
}

function elementOf(role: string, name: string, backendNodeId: number | null, parent: AxElement): AxElement {
  return {
    document: parent.document,
    backendNodeId,
    role,
    name,
    value: '',
    description: '',
    url: '',
    properties: new Map(),
    labels: [],
    notes: [],
    ignored: false,
    parent,
    children: [],
  };
}
