import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { invertProjection, projectPoint, projectQuad, projectionOntoQuad } from '#browsing/layout/projection.ts';

const WIDTH = 300;
const HEIGHT = 150;
const corners = [0, 0, WIDTH, 0, WIDTH, HEIGHT, 0, HEIGHT];

/** A rectangle turned, and its far corner pulled in, as perspective does. */
const quad = fc
  .record({
    left: fc.integer({ min: -500, max: 500 }),
    top: fc.integer({ min: -500, max: 500 }),
    turn: fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }),
    scale: fc.double({ min: 0.2, max: 3, noNaN: true }),
    pull: fc.integer({ min: 0, max: 60 }),
  })
  .map(({ left, top, turn, scale, pull }) =>
    [0, 0, WIDTH, 0, WIDTH - pull, HEIGHT - pull, 0, HEIGHT].map((_, at, all) => {
      const [x = 0, y = 0] = [all[at - (at % 2)], all[at - (at % 2) + 1]];
      const across = at % 2 === 0 ? x * Math.cos(turn) - y * Math.sin(turn) : x * Math.sin(turn) + y * Math.cos(turn);
      return (at % 2 === 0 ? left : top) + scale * across;
    }),
  );

describe('a projection', () => {
  it('maps the corners to where they are shown, and back from any point', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(quad, share, share, (shown, across, down) => {
        const onto = projectionOntoQuad(WIDTH, HEIGHT, shown);
        if (onto === null) throw new Error('nothing of it is shown');
        for (const [at, value] of projectQuad(onto, corners).entries()) expect(value).toBeCloseTo(shown[at] ?? 0, 4);
        const point = { x: across * WIDTH, y: down * HEIGHT };
        const back = projectPoint(invertProjection(onto), projectPoint(onto, point));
        expect(back.x).toBeCloseTo(point.x, 3);
        expect(back.y).toBeCloseTo(point.y, 3);
      }),
    );
  });

  it('does not exist for a box that has no size or is viewed from its edge', () => {
    expect(projectionOntoQuad(WIDTH, HEIGHT, [0, 0, 9, 9, 9, 9, 0, 0])).toBeNull();
    expect(projectionOntoQuad(0, HEIGHT, corners)).toBeNull();
  });
});
