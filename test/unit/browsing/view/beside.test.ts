import type { Protocol } from 'devtools-protocol';
import { describe, expect, it } from 'vitest';
import { buildAxTree, everyElement } from '#browsing/tree/ax-tree.ts';
import { textNextToCheckable } from '#browsing/view/beside.ts';

type Control = { role: 'button' | 'checkbox'; name: string };
/** A text, a control, or a part with its content. */
type Part = string | Control | Part[];

const BOX: Control = { role: 'checkbox', name: '' };
const button = (name: string): Control => ({ role: 'button', name });

function wordsOfBoxes(...parts: Part[]): string[] {
  const nodes: Protocol.Accessibility.AXNode[] = [];
  add(parts);
  const root = buildAxTree(nodes, { frameId: 'f', loaderId: 'l' });
  const all = root === null ? [] : [...everyElement(root)];
  return all.filter(({ role }) => role === 'checkbox').map(textNextToCheckable);

  function add(part: Part): string {
    const nodeId = String(nodes.length + 1);
    const [role, name] = kindOf(part);
    const node: Protocol.Accessibility.AXNode = { ...valueOf(role, name), nodeId, ignored: false, childIds: [] };
    nodes.push(node);
    node.childIds = Array.isArray(part) ? part.map(add) : [];
    return nodeId;
  }
}

function kindOf(part: Part): [role: string, name: string] {
  if (typeof part === 'string') return ['StaticText', part];
  return Array.isArray(part) ? ['generic', ''] : [part.role, part.name];
}

function valueOf(role: string, name: string) {
  return {
    role: { type: 'role' as const, value: role },
    name: { type: 'computedString' as const, value: name },
    backendDOMNodeId: 1,
  };
}

describe('the text next to a box without a name', () => {
  it('names it, also from outside its wrapper', () => {
    expect(wordsOfBoxes([[BOX], ['Act on it']])).toEqual(['Act on it']);
  });

  it('is on the side where the other labels are', () => {
    expect(wordsOfBoxes(['First', BOX, 'Second', BOX])).toEqual(['First', 'Second']);
    expect(wordsOfBoxes([BOX, 'First', '\n', BOX, 'Second'])).toEqual(['First', 'Second']);
  });

  it.each<[string, Part[]]>([
    ['may belong to another control', ['Send', BOX, 'daily']],
    [
      'is before a list of boxes with buttons',
      [
        'Version 5',
        [
          [[BOX], button('home')],
          [[BOX], button('more')],
        ],
      ],
    ],
    ['is next to a toolbar', ['Untitled', [button('Bold'), [BOX], button('Italic')]]],
  ])('does not name it if it %s', (_, parts) => {
    expect(new Set(wordsOfBoxes(parts))).toEqual(new Set(['']));
  });
});
