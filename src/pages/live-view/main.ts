import type { LiveState, LiveTab } from '#core/live-messages.ts';
import { connect } from './line.ts';
import { part } from './parts.ts';
import { draw, hide } from './screen.ts';

const facts = part('facts', HTMLElement);
const tabs = part('tabs', HTMLElement);
const place = part('place', HTMLElement);
const away = part('away', HTMLElement);
const why = part('why', HTMLElement);
const again = part('again', HTMLButtonElement);

let state: LiveState | null = null;
/** Whether the session has no browser, as opposed to something in the way. */
let isResting = false;
/** When the state was told. */
let toldAt = 0;

const line = connect({
  picture: draw,
  message: (message) => {
    state = message;
    toldAt = Date.now();
    away.hidden = true;
    showTabs(message);
    showFacts();
  },
  away: (problem) => {
    state = null;
    hide();
    tabs.replaceChildren();
    place.textContent = '';
    facts.textContent = '';
    why.textContent = problem ?? 'The session rests: it has no browser now. What it needs to go on is kept.';
    again.textContent = problem === null ? 'Bring it back' : 'Try again';
    isResting = problem === null;
    away.hidden = false;
  },
  broken: () => {
    facts.textContent = 'Connecting again …';
  },
});

function showTabs({ tabs: all, shown }: LiveState): void {
  tabs.replaceChildren(...all.map((tab) => tabButton(tab, tab.id === shown)));
  place.textContent = all.find(({ id }) => id === shown)?.url ?? '';
}

function tabButton({ id, title, url }: LiveTab, isShown: boolean): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.setAttribute('role', 'tab');
  button.setAttribute('aria-selected', String(isShown));
  button.textContent = title === '' ? url : title;
  button.title = url;
  button.addEventListener('click', () => line.say({ kind: 'look', tab: id }));
  return button;
}

function showFacts(): void {
  if (state === null) return;
  const passed = Date.now() - toldAt;
  const open = Math.floor((state.openForMs + passed) / 60_000);
  const left = Math.max(0, Math.ceil((state.restsInMs - passed) / 60_000));
  const words = [
    `browser open for ${open} min`,
    `rests in ${left} min unless it is used`,
    ...(state.viewers > 1 ? [`${state.viewers} pages show it`] : []),
  ].join(' · ');
  if (facts.textContent !== words) facts.textContent = words;
}

again.addEventListener('click', () => {
  why.textContent = 'One moment …';
  line.open(isResting);
});
setInterval(showFacts, 1_000);
line.open(false);
