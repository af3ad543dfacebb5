import type { Protocol } from 'devtools-protocol';
import { describe, expect, it } from 'vitest';
import { AX_TREE_DEPTH_MAX, buildAxTree, everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';

const DOCUMENT = { frameId: 'f', loaderId: 'l' };

function node(id: number, childIds: number[], role = 'group'): Protocol.Accessibility.AXNode {
  return {
    nodeId: String(id),
    ignored: false,
    role: { type: 'role', value: role },
    backendDOMNodeId: id,
    childIds: childIds.map(String),
  };
}

function depthOf(element: AxElement): number {
  let depth = 0;
  for (let at = element.parent; at !== null; at = at.parent) depth += 1;
  return depth;
}

describe('the tree of a document', () => {
  it('keeps all elements in order, however deep they are nested, on a bounded number of levels', () => {
    const nodes = Array.from({ length: 50_000 }, (_, at) => node(at, at < 49_999 ? [at + 1] : []));
    const root = buildAxTree(nodes, DOCUMENT);
    const all = root === null ? [] : [...everyElement(root)];
    expect(all.map(({ backendNodeId }) => backendNodeId)).toEqual(nodes.map((_, at) => at));
    expect(Math.max(...all.map(depthOf))).toBeLessThanOrEqual(AX_TREE_DEPTH_MAX);
  });

  it('ends when nodes name each other as children', () => {
    const root = buildAxTree([node(1, [2, 2]), node(2, [1, 3]), node(3, [3])], DOCUMENT);
    expect(root === null ? 0 : [...everyElement(root)].length).toBe(3);
  });

  it('excludes undisplayed elements, and shows their displayed content in their place', () => {
    const hidden = (id: number, childIds: number[]) => ({
      ...node(id, childIds),
      ignored: true,
      ignoredReasons: [{ name: 'notRendered' as const, value: { type: 'boolean' as const, value: true } }],
    });
    const root = buildAxTree(
      [node(1, [2, 3, 6]), node(2, []), hidden(3, [4, 5]), node(4, []), hidden(5, []), node(6, [])],
      DOCUMENT,
    );
    expect(root?.children.map(({ backendNodeId }) => backendNodeId)).toEqual([2, 4, 6]);
  });

  it('keeps the properties that are words, numbers or truth values, and no others', () => {
    const property = (name: Protocol.Accessibility.AXPropertyName, value: unknown) => ({
      name,
      value: { type: 'string' as const, value },
    });
    const properties = [
      property('level', 2),
      property('checked', 'mixed'),
      property('expanded', false),
      property('details', { an: 'object' }),
      property('owns', undefined),
    ];
    const root = buildAxTree([{ ...node(1, []), properties }], DOCUMENT);
    expect([...(root?.properties ?? [])]).toEqual([
      ['level', 2],
      ['checked', 'mixed'],
      ['expanded', false],
    ]);
  });

  it.each([
    [823.9000244140625, '823.90', '823.90'],
    [123456792, '123456789', '123456789'],
    [823.9000244140625, '', '823.9'],
    [0.10000000149011612, 'Low', '0.1'],
    [16777216, '', '16777216'],
    [5, '7', '5'],
    [0, '', '0'],
  ])('reads the number %d with the text "%s" as %s', (value, text, shown) => {
    const given = { type: 'number' as const, value };
    const properties = [{ name: 'valuetext' as const, value: { type: 'string' as const, value: text } }];
    expect(buildAxTree([{ ...node(1, [], 'spinbutton'), value: given, properties }], DOCUMENT)?.value).toBe(shown);
  });

  it('is null when there are no nodes', () => {
    expect(buildAxTree([], DOCUMENT)).toBeNull();
  });
});
