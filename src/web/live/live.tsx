import { Hono } from 'hono';
import type { Context } from 'hono';
import type { LivePort } from '#browsing/live-port.ts';
import { failureMessage } from '#core/failures/describe-failure.ts';
import { PATHS, parseLivePath, sessionPath, signInPath } from '#core/paths.ts';
import { Layout, MessagePage } from '#web/layout.tsx';
import { CONSOLE_LINK, formText, htmlDocument, setCookies } from '#web/page-response.ts';
import type { SiteEnv } from '#web/page-response.ts';
import type { ConsoleDeps } from '#web/console/console.tsx';
import { Icon } from '#web/style/icons.tsx';
import { LIVE_SCRIPT } from '#generated/live-script.ts';

export type LivePageDeps = ConsoleDeps & {
  origin: string;
  sessionsOf: (subject: string) => LivePort;
};

/** `/live/<session>`: the live view of a browser session, for the user whose client started the session. */
export function livePages(deps: LivePageDeps): Hono<SiteEnv> {
  const app = new Hono<SiteEnv>();
  app.get(`${PATHS.live}/*`, async (c, next) => {
    const session = parseLivePath(c.req.path);
    if (session === null) return next();
    c.header('cache-control', 'no-store');
    const person = await deps.signIns.read(c.req.raw);
    if (person === null) return c.redirect(signInPath(c.req.path));
    const found = await deps.sessionsOf(person.subject).ticket(session, false);
    if ('refused' in found && found.refused === 'unknown')
      return c.html(htmlDocument(<MessagePage {...unknown(session)} />), 404);
    const { token, setCookie } = await deps.signIns.startForm(c.req.raw);
    setCookies(c, [setCookie]);
    return c.html(htmlDocument(<LiveView session={session} form={token} />));
  });
  app.post(`${PATHS.live}/*`, async (c, next) => {
    const session = parseLivePath(c.req.path);
    return session === null ? next() : ticket(c, deps, session);
  });
  return app;
}

/** Responds to the page's script with JSON: a ticket for the WebSocket, or the reason why there is none. */
async function ticket(c: Context<SiteEnv>, { signIns, sessionsOf }: LivePageDeps, session: string) {
  c.header('cache-control', 'no-store');
  const form = await c.req.formData();
  const person = await signIns.read(c.req.raw);
  if (person === null) return c.json({ problem: 'You are signed out. Load the page again to sign in.' }, 401);
  if (!(await signIns.isOurForm(c.req.raw, formText(form, 'form')))) {
    return c.json({ problem: 'This page was opened in another browser, or too long ago. Load it again.' }, 403);
  }
  const given = await sessionsOf(person.subject).ticket(session, form.get('wake') === '1', form.get('here') === '1');
  if ('ticket' in given) return c.json({ ticket: given.ticket });
  if ('failure' in given) return c.json({ problem: failureMessage(given.failure) }, 503);
  if (given.refused === 'resting') return c.json({ resting: true });
  const [problem, status] = REFUSED[given.refused];
  return c.json({ problem }, status);
}

const REFUSED = {
  unknown: ['This session was closed. A model can start it again.', 404],
  full: ['As many pages show this session as may. Close one of them, then load this page again.', 429],
} as const;

/**
 * Accepts the page's WebSocket: only from this origin, with the user's cookie and an unused ticket of that user.
 * Returns `null` for any other request.
 */
export async function acceptLiveViewSocket(
  request: Request,
  deps: () => Promise<LivePageDeps>,
): Promise<Response | null> {
  const { pathname, searchParams } = new URL(request.url);
  const session = parseLivePath(pathname);
  if (session === null || request.headers.get('upgrade')?.toLowerCase() !== 'websocket') return null;
  const { origin, signIns, sessionsOf } = await deps();
  if (request.headers.get('origin') !== origin) return refused(403, 'Only a page of this server may open this socket.');
  const person = await signIns.read(request);
  if (person === null) return refused(401, 'Sign in first.');
  const of = (name: string) => searchParams.get(name) ?? '';
  return sessionsOf(person.subject).connect(session, request, of('ticket'), of('page'));
}

function refused(status: number, text: string): Response {
  return new Response(text, { status, headers: { 'cache-control': 'no-store' } });
}

function unknown(session: string) {
  return {
    title: 'No such session',
    text: `You have no browser session named “${session}”: it was closed, or it belongs to another person. If you use several accounts here, sign in with the one that your client uses.`,
    link: CONSOLE_LINK,
  };
}

export const LIVE_VIEW_CSS = `
main.tool { max-width: none; height: 100dvh; padding: 2px .5rem .5rem; display: flex; flex-direction: column; gap: .35rem; }
#session { max-width: 12rem; padding: .5rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
main.tool p { margin: 0; }
.bar { position: relative; display: flex; gap: .35rem; align-items: center; }
.bar button { padding: .3rem .9rem; white-space: nowrap; }
#more { display: none; }
#tools { display: contents; }
.tabs { display: flex; gap: 8px; align-items: center; border-bottom: 1px solid var(--line); }
.tabs:has(> #tabs > :only-child), .tabs:has(> #tabs:empty) { display: none; }
#tabs { display: flex; gap: 2px; overflow-x: auto; padding: 3px 3px 0; margin: -3px -3px -1px; min-width: 0; }
#tabs button { display: block; flex: 0 1 14rem; min-width: 6rem; padding: 6px 12px; font-weight: 400; text-align: left; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; color: var(--soft); background: none; border: 1px solid transparent; border-bottom: 0; border-radius: var(--r) var(--r) 0 0; }
#tabs button[aria-selected=true] { color: var(--ink); background: var(--panel); border-color: var(--line); box-shadow: inset 0 2px var(--accent); font-weight: 600; }
.tabs > button { flex: none; padding: 4px 14px; }
#go { flex: 1 1 8rem; min-width: 0; }
#go input { font: .9rem/1.4 ui-monospace, monospace; padding: .5rem .75rem; min-height: 2.75rem; }
#go input:read-only { background: transparent; border-color: transparent; padding-left: 0; color: var(--soft); }
.drives { display: none; }
body[data-driver=you] .drives { display: revert; }
body[data-driver=you] #take, body[data-driver=soon] #take { display: none; }
body[data-driver=away] :is(#take, #size, #go, .tabs) { display: none; }
#asked[hidden], #approve[hidden], #shut[hidden], #phone[hidden] { display: none; }
#asked, #approve { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; padding: 8px 12px; border: 1px solid color-mix(in srgb, var(--doubt) 40%, transparent); border-radius: var(--r); background: var(--doubt-tint); }
#asked p, #approve p { flex: 1 1 14rem; min-width: 0; max-height: 4.7em; overflow: auto; overflow-wrap: anywhere; }
#asked b, #approve b { color: var(--doubt); }
#problem:empty { display: none; }
#facts { font-size: .8rem; line-height: 1.3; }
.screen { position: relative; flex: 1 1 0; min-height: 8rem; display: grid; justify-items: center; align-content: start; overflow: auto; container-type: size; }
.screen canvas { width: min(var(--width, 80rem), 100cqw, (100cqh - 6px) * var(--ratio, 1.6)); border: 1px solid var(--line); border-radius: .35rem; background: var(--side); }
#wait { align-self: stretch; justify-self: stretch; display: grid; place-content: center; justify-items: center; text-align: center; padding: 16px; border: 1px solid var(--line); border-radius: var(--r); background: var(--side); }
#wait span { color: var(--soft); font-size: .875rem; }
#wait[hidden] { display: none; }
#wait.over { position: absolute; inset: 0; z-index: 1; background: color-mix(in srgb, var(--side) 85%, transparent); }
.screen.large { justify-items: start; }
.screen.large canvas { width: var(--width, 80rem); }
body[data-driver=you] .screen canvas { border: 3px solid var(--accent); touch-action: pinch-zoom; cursor: default; }
body[data-driver=you] .screen.large canvas { touch-action: auto; }
#keys { position: fixed; left: 0; bottom: 0; width: 1px; height: 1px; opacity: 0; border: 0; padding: 0; resize: none; font-size: 16px; }
#choices { position: absolute; inset: auto .5rem .5rem; max-height: 60%; overflow: auto; background: var(--panel); border: 1px solid var(--soft); border-radius: .5rem; padding: .5rem; display: grid; gap: .25rem; }
#choices.placed { inset: auto; min-width: 8rem; max-width: 100%; }
#choices[hidden] { display: none; }
#choices button { text-align: left; font-weight: 400; padding: .4rem .75rem; }
#choices button[aria-pressed=true] { border-color: var(--accent); font-weight: 600; }
dialog { color: inherit; background: var(--panel); border: 1px solid var(--soft); border-radius: .5rem; max-width: min(30rem, calc(100vw - 2rem)); overflow-wrap: anywhere; }
@media (max-width: 48rem) {
  #more { display: block; }
  #tools { display: none; }
  #tools.open { position: absolute; top: 100%; right: 0; z-index: 2; display: grid; gap: .35rem; width: min(20rem, 100%); background: var(--panel); border: 1px solid var(--soft); border-radius: .5rem; padding: .75rem; }
  body:not([data-driver=you]) #tools.open .drives { display: none; }
}
`;

type Props = {
  session: string;
  form: string;
};

/** The page of the live view. Its script shows pictures and sends input. */
function LiveView({ session, form }: Props) {
  return (
    <Layout title={`${session} live – Periscope`} tool={{ style: LIVE_VIEW_CSS, script: LIVE_SCRIPT }}>
      <Bar session={session} />
      <HandoffRequest />
      <ApprovalRequest />
      <Tabs />
      <p class="problem" id="problem" role="alert"></p>
      <Screen />
      <p class="facts" id="facts" role="status">
        <noscript>This page shows pictures as they come, which needs JavaScript.</noscript>
      </p>
      <Dialog />
      <form id="ticket" method="post" hidden>
        <input type="hidden" name="form" value={form} />
      </form>
    </Layout>
  );
}

function Bar({ session }: { session: string }) {
  return (
    <div class="bar">
      <h1 class="unseen">{session}, live</h1>
      <form id="go">
        <input
          type="text"
          id="address"
          aria-label="Address"
          inputmode="url"
          autocomplete="off"
          spellcheck={false}
          readonly
        />
      </form>
      <div id="tools">
        <a id="session" href={sessionPath(session)}>
          {session}
        </a>
        <button type="button" class="drives" id="back">
          Back
        </button>
        <button type="button" class="drives" id="forward">
          Forward
        </button>
        <button type="button" class="drives" id="reload">
          Reload
        </button>
        <button type="button" class="drives" id="open">
          New tab
        </button>
        <button type="button" class="drives" id="phone" hidden>
          Phone layout
        </button>
        <button type="button" id="size">
          Full size
        </button>
      </div>
      <button type="button" class="primary" id="take" disabled>
        Take over
      </button>
      <button type="button" class="primary drives" id="give" disabled>
        Give back
      </button>
      <button type="button" id="more" aria-expanded="false" aria-controls="tools" aria-label="Menu">
        <Icon name="menu" />
      </button>
    </div>
  );
}

function HandoffRequest() {
  return (
    <div id="asked" role="status" hidden>
      <p tabindex={0}>
        <b>A model asks you:</b> <q id="reason"></q>
      </p>
      <button type="button" id="decline">
        Not now
      </button>
    </div>
  );
}

function ApprovalRequest() {
  return (
    <div id="approve" role="status" hidden>
      <p>
        <b>A model wants to act:</b> <span id="act"></span>
      </p>
      <a class="button" id="answer" href={PATHS.approvals}>
        See and answer
      </a>
    </div>
  );
}

function Tabs() {
  return (
    <div class="tabs">
      <div id="tabs" role="tablist" aria-label="Tabs of the session"></div>
      <button type="button" class="drives" id="shut" hidden>
        Close tab
      </button>
    </div>
  );
}

function Screen() {
  return (
    <div class="screen" id="screen">
      <p id="wait">
        <b>The picture of the page is on its way.</b>
        <span id="wait-why">It shows what the model’s browser shows, a moment later.</span>
      </p>
      <canvas id="canvas" role="img" aria-label="Picture of the tab" width="1280" height="800" hidden></canvas>
      <textarea
        id="keys"
        aria-label="Types into the page. Shift+Escape leaves it."
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
      ></textarea>
      <div id="choices" role="group" aria-label="Choices" hidden></div>
      <div id="away" hidden>
        <p id="why"></p>
        <p class="actions">
          <button type="button" id="again"></button>
        </p>
      </div>
    </div>
  );
}

function Dialog() {
  return (
    <dialog id="dialog" aria-labelledby="dialog-words">
      <form id="dialog-form" method="dialog">
        <p id="dialog-words"></p>
        <input type="text" id="dialog-text" aria-label="Answer" />
        <p class="actions">
          <button type="submit" class="primary" id="dialog-yes">
            OK
          </button>
          <button type="submit" id="dialog-no">
            Cancel
          </button>
        </p>
      </form>
    </dialog>
  );
}
