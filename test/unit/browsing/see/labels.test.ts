import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { intersectBoxes } from '#browsing/layout/projection.ts';
import { placeLabels } from '#browsing/see/ref-labels.ts';

const IMAGE = { width: 1000, height: 600 };

const box = fc.record({
  x: fc.integer({ min: 0, max: 950 }),
  y: fc.integer({ min: 0, max: 560 }),
  width: fc.integer({ min: 2, max: 400 }),
  height: fc.integer({ min: 2, max: 300 }),
});

describe('labels on an image', () => {
  it('are above the corner of their box where there is room', () => {
    const [placed] = placeLabels([{ name: 'e1', box: { x: 100, y: 100, width: 80, height: 30 } }], IMAGE);
    expect(placed?.label).toMatchObject({ x: 100, y: 85 });
  });

  it('do not cover each other while there is room around their boxes', () => {
    const grid = Array.from({ length: 60 }, (_, at) => ({
      name: `e${at + 1}`,
      box: { x: (at % 10) * 95, y: Math.floor(at / 10) * 95, width: 80, height: 40 },
    }));
    const placed = placeLabels(grid, IMAGE);
    for (const [at, one] of placed.entries()) {
      for (const other of placed.slice(at + 1)) expect(intersectBoxes(one.label, other.label)).toBeNull();
    }
  });

  it('of a dense list cover more of their own element than of the element above', () => {
    const rows = Array.from({ length: 12 }, (_, at) => ({
      name: `e${at + 1}`,
      box: { x: 100, y: 100 + at * 24, width: 42, height: 20 },
    }));
    const area = (shared: ReturnType<typeof intersectBoxes>) => (shared === null ? 0 : shared.width * shared.height);
    for (const { name, label, box: own } of placeLabels(rows, IMAGE)) {
      const ofOthers = rows.filter((row) => row.name !== name).map((row) => area(intersectBoxes(label, row.box)));
      expect(Math.max(...ofOthers)).toBeLessThanOrEqual(area(intersectBoxes(label, own)));
    }
  });

  it('of nested boxes do not overlap', () => {
    const same = { x: 100, y: 100, width: 200, height: 100 };
    const placed = placeLabels(
      [1, 2, 3, 4].map((at) => ({ name: `e${at}`, box: same })),
      IMAGE,
    );
    const places = new Set(placed.map(({ label }) => `${label.x} ${label.y}`));
    expect(places.size).toBe(4);
  });

  it('always lie inside the image, one for each box', () => {
    fc.assert(
      fc.property(fc.array(box, { maxLength: 40 }), (boxes) => {
        const placed = placeLabels(
          boxes.map((one, at) => ({ name: `e${at}`, box: one })),
          IMAGE,
        );
        expect(placed).toHaveLength(boxes.length);
        for (const { label } of placed) {
          expect(label.x).toBeGreaterThanOrEqual(0);
          expect(label.y).toBeGreaterThanOrEqual(0);
          expect(label.x + label.width).toBeLessThanOrEqual(IMAGE.width);
          expect(label.y + label.height).toBeLessThanOrEqual(IMAGE.height);
        }
      }),
    );
  });
});
