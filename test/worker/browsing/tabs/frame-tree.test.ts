import { describe, expect, it } from 'vitest';
import { FrameTree } from '#browsing/tabs/frame-tree.ts';
import { CdpConnection, CdpSession } from '#browsing/cdp/connection.ts';

const SESSION = new CdpSession('s', new CdpConnection(new WebSocketPair()[0]));

function frame(id: string, parentId?: string) {
  const url = `http://site.example/${id}`;
  return {
    id,
    loaderId: `load of ${id}`,
    url,
    domainAndRegistry: '',
    securityOrigin: '',
    mimeType: 'text/html',
    secureContextType: 'Secure' as const,
    crossOriginIsolatedContextType: 'NotIsolated' as const,
    gatedAPIFeatures: [],
    ...(parentId === undefined ? {} : { parentId }),
  };
}

describe('the frames of a tab', () => {
  it('are listed with parents before children, and are removed with the document around them', () => {
    const tree = new FrameTree('main', SESSION);
    tree.attached('a', 'main', SESSION);
    tree.attached('b', 'main', SESSION);
    tree.attached('a1', 'a', SESSION);
    tree.navigated(frame('a1', 'a'), SESSION);
    expect(tree.all().map(({ id }) => id)).toEqual(['main', 'a', 'b', 'a1']);
    tree.movedToTarget('b', 'a', SESSION);
    expect(tree.all().map(({ id }) => id)).toEqual(['main', 'a', 'b', 'a1']);
    tree.attached('b', 'a1', SESSION);
    expect(tree.all().map(({ id }) => id)).toEqual(['main', 'a', 'a1', 'b']);
    tree.detached('a');
    expect(tree.all().map(({ id }) => id)).toEqual(['main']);
    expect([tree.get('a1'), tree.get('b')]).toEqual([null, null]);
  });

  it('are tracked without a scan for each: with 20,000 of them that would take minutes', () => {
    const tree = new FrameTree('main', SESSION);
    const count = 20_000;
    for (let at = 0; at < count; at += 1) {
      tree.attached(`f${at}`, 'main', SESSION);
      tree.navigated(frame(`f${at}`, 'main'), SESSION);
    }
    expect(tree.all().length).toBe(count + 1);
    tree.navigated(frame('main'), SESSION);
    expect(tree.all().length).toBe(1);
  }, 30_000);
});
