import type {
  LivePageMessage,
  LiveInput,
  LiveFieldBox,
  LiveState,
  LiveTab,
  LiveServerMessage,
} from '#browsing/live-view/messages.ts';
import { focusKeyInput, usePointerTouchAndKeys } from './hands.ts';
import { bindButton, requireElement } from './parts.ts';
import {
  checkLayoutWait,
  endLayoutWait,
  hideWaitMessage,
  showWaitMessage,
  startLayoutWait,
  areTapsAccepted,
} from './wait.ts';

type Line = { say: (message: LivePageMessage) => void };

type Ends = {
  picture: (picture: Blob) => Promise<void>;
  message: (message: LiveServerMessage) => void;
  /** Called when the session cannot be shown. @param problem the reason; `null` if it has no browser at the moment */
  away: (problem: string | null) => void;
  broken: () => void;
};

const HERE_EVERY_MS = 5_000;
const AGAIN_MS = 1_000;
const AGAIN_MS_MAX = 15_000;
/** ID of this page. It survives a reload, so that the user continues to control the session. */
const PAGE = sessionStorage.getItem('page') ?? crypto.randomUUID();
sessionStorage.setItem('page', PAGE);
/** WebSocket close code: the session has no browser. */
const RESTING = 4001;
/** WebSocket close code: the session has the maximum number of viewers. */
const FULL = 4003;

function connect(ends: Ends): Line & { open: (wakes: boolean) => void } {
  let socket: WebSocket | null = null;
  let againMs = AGAIN_MS;
  const say = (message: LivePageMessage) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  const retry = () => {
    ends.broken();
    setTimeout(() => void open(false), againMs);
    againMs = Math.min(2 * againMs, AGAIN_MS_MAX);
  };
  const open = async (wakes: boolean) => {
    const answer = await askForTicket({ wake: wakes ? '1' : '0' });
    if (answer === null) return retry();
    if (answer.resting === true) return ends.away(null);
    if (answer.ticket === undefined) return ends.away(answer.problem ?? '');
    const opened = new WebSocket(
      `${location.pathname}?${new URLSearchParams({ ticket: answer.ticket, page: PAGE }).toString()}`,
    );
    opened.binaryType = 'blob';
    socket = opened;
    opened.addEventListener('message', ({ data }: MessageEvent<Blob | string>) => {
      againMs = AGAIN_MS;
      if (typeof data === 'string') ends.message(JSON.parse(data));
      else void ends.picture(data).then(() => say({ kind: 'drawn' }));
    });
    opened.addEventListener('close', ({ code }) => {
      if (socket !== opened) return;
      socket = null;
      if (code === RESTING) ends.away(null);
      else if (code === FULL) ends.away('As many pages show this session as may. Close one of them.');
      else retry();
    });
    return undefined;
  };
  const stay = async () => {
    const line = socket;
    if (line === null) return;
    const answer = await askForTicket({ wake: '0', here: '1' });
    if (socket !== line || answer === null) return;
    if (answer.problem === undefined) return say({ kind: 'here', ticket: answer.ticket });
    // The server refused a new ticket, for example because the user may no longer see the session.
    socket = null;
    line.close();
    ends.away(answer.problem);
  };
  setInterval(() => void stay(), HERE_EVERY_MS);
  return { say, open: (wakes) => void open(wakes) };
}

type Answer = { ticket?: string; resting?: boolean; problem?: string };

/** Requests a ticket for the WebSocket. @returns `null` if the server did not respond */
async function askForTicket(wish: Record<string, string>): Promise<Answer | null> {
  const fields = new FormData(requireElement('ticket', HTMLFormElement));
  const form = fields.get('form');
  const body = new URLSearchParams({ form: typeof form === 'string' ? form : '', ...wish });
  try {
    const answer = await fetch(location.pathname, { method: 'POST', body });
    return await answer.json();
  } catch {
    return null;
  }
}

type Say = (input: LiveInput) => void;
type Choices = Pick<Extract<LiveServerMessage, { kind: 'choices' }>, 'labels' | 'chosen' | 'place'>;
type Dialog = Extract<LiveServerMessage, { kind: 'dialog' }>['dialog'];

const box = requireElement('dialog', HTMLDialogElement);
const dialogWords = requireElement('dialog-words', HTMLElement);
const field = requireElement('dialog-text', HTMLInputElement);
const list = requireElement('choices', HTMLElement);

function showDialog(dialog: Dialog): void {
  if (dialog === null) return box.close();
  const { type, message, proposed } = dialog;
  dialogWords.textContent = type === 'beforeunload' ? 'Leave the page? Text typed into it may be lost.' : message;
  field.hidden = type !== 'prompt';
  field.value = proposed;
  requireElement('dialog-no', HTMLElement).hidden = type === 'alert';
  if (!box.open) box.showModal();
}

function showChoices({ labels, chosen, place }: Choices, say: Say): void {
  list.hidden = labels === null;
  putAt(place);
  list.replaceChildren(...(labels ?? []).flatMap((label, at) => choice(label, at, at === chosen, say)));
  list.querySelector<HTMLElement>('[aria-pressed=true]')?.scrollIntoView({ block: 'nearest' });
}

/**
 * Places the list of options below its field in the picture, or above it if there is more room; at the foot of the page
 * if the field's place is unknown.
 */
function putAt(place: LiveFieldBox | undefined): void {
  list.classList.toggle('placed', place !== undefined);
  const { style } = list;
  for (const name of ['left', 'top', 'bottom', 'max-height']) style.removeProperty(name);
  if (place === undefined) return;
  const { offsetLeft, offsetTop, clientWidth, clientHeight } = canvas;
  const [top, end] = [place.y * clientHeight, (place.y + place.height) * clientHeight];
  const isAbove = top > clientHeight - end;
  const left = offsetLeft + Math.max(0, Math.min(place.x, 1)) * clientWidth;
  const room = Math.max(100, isAbove ? top : clientHeight - end);
  style.maxHeight = `${room}px`;
  style.left = `${Math.min(left, offsetLeft + Math.max(0, clientWidth - 130))}px`;
  style.top = isAbove ? 'auto' : `${offsetTop + end}px`;
  style.bottom = isAbove ? `calc(100% - ${offsetTop + top}px)` : 'auto';
}

function choice(label: string, at: number, isChosen: boolean, say: Say): HTMLElement[] {
  if (label === '') return [];
  const element = document.createElement('button');
  element.type = 'button';
  element.textContent = label;
  element.setAttribute('aria-pressed', String(isChosen));
  element.addEventListener('click', () => {
    list.hidden = true;
    say({ kind: 'choose', at });
  });
  return [element];
}

function answerDialogs(say: Say): void {
  box.addEventListener('cancel', (event) => event.preventDefault());
  requireElement('dialog-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    const accept = event.submitter?.id === 'dialog-yes';
    say({ kind: 'answer', accept, text: field.value });
    box.close();
  });
}

const canvas = requireElement('canvas', HTMLCanvasElement);
const pen = canvas.getContext('2d', { alpha: false });

async function draw(picture: Blob): Promise<void> {
  const bitmap = await createImageBitmap(picture);
  if (canvas.width !== bitmap.width) canvas.width = bitmap.width;
  if (canvas.height !== bitmap.height) canvas.height = bitmap.height;
  canvas.style.setProperty('--ratio', String(bitmap.width / bitmap.height));
  pen?.drawImage(bitmap, 0, 0);
  bitmap.close();
  canvas.hidden = false;
  showWaitMessage(null);
  checkLayoutWait(state?.size);
}

function hide(): void {
  canvas.hidden = true;
}

const facts = requireElement('facts', HTMLElement);
const tabs = requireElement('tabs', HTMLElement);
const address = requireElement('address', HTMLInputElement);
const away = requireElement('away', HTMLElement);
const why = requireElement('why', HTMLElement);
const again = bindButton('again', () => {
  why.textContent = 'One moment …';
  line.open(isResting);
});
const problem = requireElement('problem', HTMLElement);
const asked = requireElement('asked', HTMLElement);
const screen = requireElement('screen', HTMLElement);
const take = bindButton('take', () => line.say({ kind: 'take' }));
const give = bindButton('give', () => line.say({ kind: 'give' }));
const decline = bindButton('decline', () => line.say({ kind: 'decline' }));
for (const move of ['back', 'forward', 'reload'] as const) bindButton(move, () => line.say({ kind: 'history', move }));
bindButton('open', () => line.say({ kind: 'open' }));
const shut = bindButton('shut', () => {
  if (typeof state?.shown === 'string') line.say({ kind: 'shut', tab: state.shown });
});
const phone = bindButton('phone', () => setPhone(state?.size.isTouched !== true));
const tools = requireElement('tools', HTMLElement);
const more = bindButton('more', () => openTools(!tools.classList.contains('open')));
const size = bindButton('size', () => {
  const isLarge = screen.classList.toggle('large');
  size.textContent = isLarge ? 'Fit' : 'Full size';
});

function openTools(isOpen: boolean): void {
  tools.classList.toggle('open', isOpen);
  more.setAttribute('aria-expanded', String(isOpen));
}
document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Node && more.contains(target))) openTools(false);
});
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape' || !tools.classList.contains('open')) return;
  openTools(false);
  more.focus();
});

const SMALL = matchMedia('(max-width: 36rem)');
const PICTURE_WIDTH = 390;

function setPhone(is: boolean): void {
  const height = Math.round((PICTURE_WIDTH * screen.clientHeight) / Math.max(1, screen.clientWidth));
  line.say({ kind: 'screen', phone: is ? Math.max(300, Math.min(900, height)) : null });
}

let state: LiveState | null = null;
let isGivingBack = false;
/** True if the page shows no picture because the session has no browser, not because of a problem. */
let isResting = false;
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
    hideWaitMessage();
    isResting = words === null;
    why.textContent = words ?? 'Paused. Tabs and sign-ins are saved.';
    again.textContent = isResting ? 'Resume' : 'Try again';
    away.hidden = false;
  },
  broken: () => {
    facts.textContent = 'Reconnecting …';
  },
});

function show(next: LiveState): void {
  const drove = drives();
  const hadTab = state?.shown;
  state = next;
  // The session's own width: over a slow connection, pictures have fewer pixels.
  canvas.style.setProperty('--width', `${next.size.width}px`);
  toldAt = Date.now();
  away.hidden = true;
  if (canvas.hidden) showWaitMessage('It shows what the model’s browser shows, a moment later.');
  document.body.dataset['driver'] = next.driver ?? 'nobody';
  take.disabled = next.driver !== null && next.driver !== 'elsewhere';
  asked.hidden = next.asked === null;
  requireElement('reason', HTMLElement).textContent = next.asked ?? '';
  requireElement('approve', HTMLElement).hidden = next.question === undefined;
  requireElement('act', HTMLElement).textContent = next.question?.text ?? '';
  requireElement('answer', HTMLAnchorElement).href = next.question?.path ?? '';
  decline.hidden = next.driver !== null;
  give.disabled = !drives();
  const wasTab = tabs.contains(document.activeElement);
  tabs.replaceChildren(...next.tabs.map((tab) => tabButton(tab, tab.id === next.shown)));
  if (wasTab) tabs.querySelector<HTMLElement>('[aria-selected=true]')?.focus();
  const url = next.tabs.find(({ id }) => id === next.shown)?.url ?? '';
  if (document.activeElement !== address || hadTab !== next.shown) address.value = url;
  address.readOnly = !drives();
  phone.hidden = !SMALL.matches && !next.size.isTouched;
  phone.textContent = next.size.isTouched ? 'Desktop layout' : 'Phone layout';
  shut.hidden = next.tabs.length < 2;
  if (drives() && !drove) {
    focusKeyInput();
    if (SMALL.matches && !next.size.isTouched) {
      startLayoutWait();
      setPhone(true);
    }
  }
  if (!drives() && !areTapsAccepted()) endLayoutWait();
  checkLayoutWait(next.size);
  // The server needs a moment to hand the session back to the model. Then the focus moves to "Take over".
  isGivingBack = (isGivingBack || drove) && (next.driver === null || next.driver === 'soon');
  if (isGivingBack && next.driver === null) {
    isGivingBack = false;
    take.focus();
  }
  if (!drives()) {
    showDialog(null);
    showChoices({ labels: null, chosen: -1 }, line.say);
  }
  showFacts();
}

function tabButton({ id, title, url }: LiveTab, isShown: boolean): HTMLButtonElement {
  const element = document.createElement('button');
  element.type = 'button';
  element.setAttribute('role', 'tab');
  element.setAttribute('aria-selected', String(isShown));
  element.textContent = title === '' ? url : title;
  element.title = url;
  element.addEventListener('click', () => line.say({ kind: 'look', tab: id }));
  return element;
}

let isProblemOver = 0;

function tellProblem(text: string): void {
  problem.textContent = text;
  clearTimeout(isProblemOver);
  isProblemOver = setTimeout(() => (problem.textContent = ''), 10_000);
}

const WHO = {
  you: 'You have control. Models wait.',
  soon: 'One moment: the model is finishing a step. Then you have control.',
  elsewhere: 'You have control in another window. Take control to continue here.',
  other: 'Another person has control.',
} as const;

function showFacts(): void {
  if (state === null) return;
  const passed = Date.now() - toldAt;
  const open = Math.floor((state.openForMs + passed) / 60_000);
  const left = Math.max(0, Math.ceil((state.restsInMs - passed) / 60_000));
  const words = [
    state.driver === null ? 'Models have control.' : WHO[state.driver],
    `Browser open for ${open} min,`,
    state.driver === null ? `pauses in ${left} min unless it is used.` : 'stays open while a person has control.',
    ...(drives()
      ? [
          'Models see where you went, not what you typed.',
          ...(SMALL.matches ? [] : ['Shift+Escape leaves the page with the keyboard.']),
        ]
      : []),
    ...(state.viewers > 1 ? [`${state.viewers} pages show it.`] : []),
  ].join(' ');
  if (facts.textContent !== words) facts.textContent = words;
}

requireElement('go', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  line.say({ kind: 'go', url: address.value });
  focusKeyInput();
});
answerDialogs(line.say);
usePointerTouchAndKeys({
  say: line.say,
  drives: () => drives() && areTapsAccepted(),
  isTouched: () => state?.size.isTouched === true,
});
setInterval(showFacts, 1_000);
line.open(false);
