import { LIVE_SCRIPT } from './live-script.ts';
import { Layout } from './layout.tsx';

export const LIVE_STYLE = `
main.tool { max-width: none; min-height: 100dvh; padding: .5rem .75rem 1rem; display: flex; flex-direction: column; gap: .5rem; }
main.tool h1 { font-size: 1.1rem; margin: 0; }
.bar { display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: center; }
.bar p { margin: 0; }
.bar .grow { flex: 1 1 12rem; min-width: 0; }
.bar button { padding: .3rem .9rem; }
.tabs { display: flex; gap: .35rem; overflow-x: auto; padding-bottom: .15rem; }
.tabs button { flex: 0 1 14rem; min-width: 6rem; padding: .3rem .75rem; font-weight: 400; text-align: left; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.tabs button[aria-selected=true] { border-color: var(--accent); border-width: 2px; font-weight: 600; }
.place { font: .9rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; color: var(--soft); }
.screen { position: relative; flex: 1; min-height: 12rem; display: grid; justify-items: center; align-content: start; }
.screen canvas { max-width: 100%; max-height: calc(100dvh - 9rem); border: 1px solid var(--line); border-radius: .35rem; background: var(--code); touch-action: none; }
.screen .note { margin: 1rem 0; }
`;

type Props = {
  session: string;
  /** The token that binds the form to this browser. */
  form: string;
};

/** `/live/<session>`: the one page that cannot do without a script. */
export function LiveView({ session, form }: Props) {
  return (
    <Layout title={`${session} live – Periscope`} tool={{ style: LIVE_STYLE, script: LIVE_SCRIPT }}>
      <div class="bar">
        <h1>{session}</h1>
        <p class="facts grow" id="facts" role="status">
          <noscript>This page shows pictures as they come, which needs JavaScript.</noscript>
        </p>
      </div>
      <div class="tabs" id="tabs" role="tablist" aria-label="Tabs of the session"></div>
      <p class="place" id="place"></p>
      <div class="screen" id="screen">
        <canvas id="canvas" role="img" aria-label="What the tab shows" width="1280" height="800" hidden></canvas>
        <div id="away" hidden>
          <p class="note" id="why"></p>
          <button type="button" id="again"></button>
        </div>
      </div>
      <form id="ticket" method="post" hidden>
        <input type="hidden" name="form" value={form} />
      </form>
    </Layout>
  );
}
