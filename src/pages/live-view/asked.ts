import type { LiveHands, ToLivePage } from '#core/live-messages.ts';
import { part } from './parts.ts';

type Say = (input: LiveHands) => void;
type Dialog = Extract<ToLivePage, { kind: 'dialog' }>['dialog'];

const box = part('dialog', HTMLDialogElement);
const words = part('dialog-words', HTMLElement);
const field = part('dialog-text', HTMLInputElement);
const list = part('choices', HTMLElement);

/** A dialog of the page in the session, which waits for an answer. */
export function showDialog(dialog: Dialog): void {
  if (dialog === null) return box.close();
  const { type, message, proposed } = dialog;
  words.textContent = type === 'beforeunload' ? 'The page asks: leave it? What was typed may be lost.' : message;
  field.hidden = type !== 'prompt';
  field.value = proposed;
  part('dialog-no', HTMLElement).hidden = type === 'alert';
  if (!box.open) box.showModal();
}

/** The choices of a list, which its browser would show outside of the page. */
export function showChoices({ labels, chosen }: { labels: string[] | null; chosen: number }, say: Say): void {
  list.hidden = labels === null;
  list.replaceChildren(...(labels ?? []).flatMap((label, at) => choice(label, at, at === chosen, say)));
  list.querySelector<HTMLElement>('[aria-pressed=true]')?.scrollIntoView({ block: 'nearest' });
}

function choice(label: string, at: number, isChosen: boolean, say: Say): HTMLElement[] {
  if (label === '') return [];
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = label;
  made.setAttribute('aria-pressed', String(isChosen));
  made.addEventListener('click', () => {
    list.hidden = true;
    say({ kind: 'choose', at });
  });
  return [made];
}

export function answerDialogs(say: Say): void {
  box.addEventListener('cancel', (event) => event.preventDefault());
  part('dialog-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    const accept = event.submitter?.id === 'dialog-yes';
    say({ kind: 'answer', accept, text: field.value });
    box.close();
  });
}
