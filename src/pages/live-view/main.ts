import type { LiveState, LiveTab } from '#core/live-messages.ts';
import { answerDialogs, showChoices, showDialog } from './asked.ts';
import { focusKeys, useHands } from './hands.ts';
import { connect } from './line.ts';
import { button, part } from './parts.ts';
import { draw, hide } from './screen.ts';

const facts = part('facts', HTMLElement);
const tabs = part('tabs', HTMLElement);
const address = part('address', HTMLInputElement);
const away = part('away', HTMLElement);
const why = part('why', HTMLElement);
const again = button('again', () => {
  why.textContent = 'One moment …';
  line.open(isResting);
});
const problem = part('problem', HTMLElement);
const asked = part('asked', HTMLElement);
const screen = part('screen', HTMLElement);
const take = button('take', () => line.say({ kind: 'take' }));
const give = button('give', () => line.say({ kind: 'give' }));
const decline = button('decline', () => line.say({ kind: 'decline' }));
button('back', () => line.say({ kind: 'history', move: 'back' }));
button('reload', () => line.say({ kind: 'history', move: 'reload' }));
button('open', () => line.say({ kind: 'open' }));
const size = button('size', () => {
  const isLarge = screen.classList.toggle('large');
  size.textContent = isLarge ? 'Fit' : 'Full size';
});

let state: LiveState | null = null;
/** Whether the session has no browser, as opposed to something in the way. */
let isResting = false;
/** When the state was told. */
let toldAt = 0;
const drives = () => state?.driver === 'you';

const line = connect({
  picture: draw,
  message: (message) => {
    switch (message.kind) {
      case 'state':
        return show(message);
      case 'problem':
        return tellProblem(message.text);
      case 'dialog':
        return showDialog(message.dialog);
      case 'choices':
        return showChoices(message, line.say);
    }
  },
  away: (words) => {
    state = null;
    hide();
    tabs.replaceChildren();
    document.body.dataset['driver'] = 'away';
    facts.textContent = '';
    asked.hidden = true;
    isResting = words === null;
    why.textContent = words ?? 'The session rests: it has no browser now. What it needs to go on is kept.';
    again.textContent = isResting ? 'Bring it back' : 'Try again';
    away.hidden = false;
  },
  broken: () => {
    facts.textContent = 'Connecting again …';
  },
});

function show(told: LiveState): void {
  const drove = drives();
  const hadTab = state?.shown;
  state = told;
  toldAt = Date.now();
  away.hidden = true;
  // The style of the page shows what fits who drives.
  document.body.dataset['driver'] = told.driver ?? 'nobody';
  take.disabled = told.driver !== null;
  asked.hidden = told.asked === null;
  part('reason', HTMLElement).textContent = told.asked ?? '';
  decline.hidden = told.driver !== null;
  give.disabled = !drives();
  tabs.replaceChildren(...told.tabs.map((tab) => tabButton(tab, tab.id === told.shown)));
  const url = told.tabs.find(({ id }) => id === told.shown)?.url ?? '';
  if (document.activeElement !== address || hadTab !== told.shown) address.value = url;
  address.readOnly = !drives();
  if (drives() && !drove) focusKeys();
  if (!drives()) {
    showDialog(null);
    showChoices({ labels: null, chosen: -1 }, line.say);
  }
  showFacts();
}

function tabButton({ id, title, url }: LiveTab, isShown: boolean): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.setAttribute('role', 'tab');
  made.setAttribute('aria-selected', String(isShown));
  made.textContent = title === '' ? url : title;
  made.title = url;
  made.addEventListener('click', () => line.say({ kind: 'look', tab: id }));
  return made;
}

let isProblemOver = 0;

function tellProblem(text: string): void {
  problem.textContent = text;
  clearTimeout(isProblemOver);
  isProblemOver = setTimeout(() => (problem.textContent = ''), 10_000);
}

const WHO = {
  you: 'You drive. Models wait.',
  soon: 'You drive in a moment: a call of a model is still at work.',
  other: 'Somebody drives on another page.',
} as const;

function showFacts(): void {
  if (state === null) return;
  const passed = Date.now() - toldAt;
  const open = Math.floor((state.openForMs + passed) / 60_000);
  const left = Math.max(0, Math.ceil((state.restsInMs - passed) / 60_000));
  const words = [
    state.driver === null ? 'Models drive.' : WHO[state.driver],
    `Browser open for ${open} min,`,
    state.driver === null ? `rests in ${left} min unless it is used.` : 'does not rest while a person drives.',
    ...(state.viewers > 1 ? [`${state.viewers} pages show it.`] : []),
  ].join(' ');
  if (facts.textContent !== words) facts.textContent = words;
}

part('go', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  line.say({ kind: 'go', url: address.value });
  focusKeys();
});
answerDialogs(line.say);
useHands({ say: line.say, drives, isTouched: () => state?.size.isTouched === true });
setInterval(showFacts, 1_000);
line.open(false);
