import { afterEach, describe, expect, it, vi } from 'vitest';
import { LiveViewer } from '#browsing/live-view/viewer.ts';
import { LIVE_FRAME_INTERVAL_MS_MIN } from '#browsing/live-view/limits.ts';

afterEach(() => void vi.useRealTimers());

/** A page over a real pair of sockets, with what it was sent. */
function page() {
  const { 0: theirs, 1: ours } = new WebSocketPair();
  ours.accept();
  theirs.binaryType = 'arraybuffer';
  theirs.accept();
  const got: unknown[] = [];
  theirs.addEventListener('message', ({ data }) => void got.push(typeof data === 'string' ? data : [...bytesOf(data)]));
  return { viewer: new LiveViewer(ours, 'page', 'ada'), got };
}

function bytesOf(data: unknown): Uint8Array {
  return data instanceof ArrayBuffer ? new Uint8Array(data) : new Uint8Array();
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('a page on a slow line', () => {
  it('has two pictures in flight, then gets only the newest one', async () => {
    const { viewer, got } = page();
    for (let picture = 1; picture <= 6; picture += 1) {
      viewer.show(new Uint8Array([picture]));
      await pause(LIVE_FRAME_INTERVAL_MS_MIN + 10);
    }
    await expect.poll(() => got).toEqual([[1], [2]]);
    expect(viewer.drawn()).toBeGreaterThanOrEqual(LIVE_FRAME_INTERVAL_MS_MIN);
    await expect.poll(() => got).toEqual([[1], [2], [6]]);
    viewer.drawn();
    viewer.drawn();
    expect(viewer.drawn()).toBeNull();
  });

  it('receives a state when it has changed, whatever its clocks show', async () => {
    const { viewer, got } = page();
    viewer.tellChange({ kind: 'problem', text: '1' }, 'same');
    viewer.tellChange({ kind: 'problem', text: '2' }, 'same');
    viewer.tellChange({ kind: 'problem', text: '3' }, 'other');
    await expect.poll(() => got.map((text) => JSON.parse(String(text)).text)).toEqual(['1', '3']);
  });
});
