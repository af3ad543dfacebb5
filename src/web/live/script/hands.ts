import type { LiveButton, LiveInput, LivePoint } from '#browsing/live-view/messages.ts';
import { requireElement } from './parts.ts';

type HandsOptions = {
  say: (input: LiveInput) => void;
  drives: () => boolean;
  isTouched: () => boolean;
};

const canvas = requireElement('canvas', HTMLCanvasElement);
/** Hidden text field that receives keyboard input, because a phone opens its keyboard only for a field. */
const keys = requireElement('keys', HTMLTextAreaElement);

const TAP_PX = 10;
const LONG_PRESS_MS = 600;
const MOVE_MS = 25;
const LINE_PX = 40;
const BUTTONS: readonly LiveButton[] = ['left', 'middle', 'right'];

export function usePointerTouchAndKeys(options: HandsOptions): void {
  usePointer(options);
  useTouch(options);
  useKeys(options);
}

export function focusKeyInput(): void {
  keys.focus({ preventScroll: true });
}

function livePoint({ clientX, clientY }: { clientX: number; clientY: number }): LivePoint {
  const { left, top, width, height } = canvas.getBoundingClientRect();
  const share = (value: number) => Math.min(1, Math.max(0, value));
  return { x: share((clientX - left) / width), y: share((clientY - top) / height) };
}

function heldOf(event: MouseEvent | KeyboardEvent): number {
  return (event.altKey ? 1 : 0) + (event.ctrlKey ? 2 : 0) + (event.metaKey ? 4 : 0) + (event.shiftKey ? 8 : 0);
}

function usePointer({ say, drives }: HandsOptions): void {
  let movedAt = 0;
  const mouse = (event: PointerEvent, type: 'move' | 'down' | 'up') => {
    const button = type === 'move' ? 'none' : (BUTTONS[event.button] ?? 'none');
    const clicks = type === 'move' ? 0 : clicksOf(event, type);
    say({ kind: 'mouse', type, button, clicks, held: heldOf(event), ...livePoint(event) });
  };
  const on = (name: 'pointermove' | 'pointerdown' | 'pointerup', type: 'move' | 'down' | 'up') =>
    canvas.addEventListener(name, (event) => {
      if (!drives() || event.pointerType === 'touch') return;
      event.preventDefault();
      if (type === 'down') {
        canvas.setPointerCapture(event.pointerId);
        focusKeyInput();
      }
      if (type === 'move' && event.timeStamp - movedAt < MOVE_MS) return;
      if (type === 'move') movedAt = event.timeStamp;
      mouse(event, type);
    });
  on('pointermove', 'move');
  on('pointerdown', 'down');
  on('pointerup', 'up');
  canvas.addEventListener('contextmenu', (event) => drives() && event.preventDefault());
  canvas.addEventListener(
    'wheel',
    (event) => {
      if (!drives()) return;
      event.preventDefault();
      const { width, height } = canvas.getBoundingClientRect();
      const px = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : event.deltaMode === 2 ? height : 1;
      const way = { dx: within(event.deltaX * px, width), dy: within(event.deltaY * px, height) };
      say({ kind: 'wheel', ...way, held: heldOf(event), ...livePoint(event) });
    },
    { passive: false },
  );
}

function within(px: number, side: number): number {
  return Math.max(-9, Math.min(9, px / side));
}

let clicks = 0;
let pressedAt = { time: 0, x: 0, y: 0 };

function clicksOf({ timeStamp, clientX, clientY }: PointerEvent, type: 'down' | 'up'): number {
  if (type === 'up') return clicks;
  const isNear = Math.hypot(clientX - pressedAt.x, clientY - pressedAt.y) < TAP_PX;
  clicks = isNear && timeStamp - pressedAt.time < 500 ? (clicks % 3) + 1 : 1;
  pressedAt = { time: timeStamp, x: clientX, y: clientY };
  return clicks;
}

/** Sends touch as mouse input to a session without touch screen: a tap clicks, a long press is a right click. */
function useTouch({ say, drives, isTouched }: HandsOptions): void {
  let start: Touch | null = null;
  let last: Touch | null = null;
  let isScroll = false;
  let press = 0;
  const click = (at: Touch, button: LiveButton) => {
    const mouse = { kind: 'mouse', button, held: 0, ...livePoint(at) } as const;
    say({ ...mouse, type: 'move', button: 'none', clicks: 0 });
    say({ ...mouse, type: 'down', clicks: 1 });
    say({ ...mouse, type: 'up', clicks: 1 });
  };
  const on = (name: 'touchstart' | 'touchmove' | 'touchend' | 'touchcancel', does: (event: TouchEvent) => void) =>
    canvas.addEventListener(
      name,
      (event) => {
        // Two-finger gestures zoom this page, as elsewhere, unless the session has a touch screen.
        if (!drives() || (event.touches.length > 1 && !isTouched())) return;
        event.preventDefault();
        if (!isTouched()) return does(event);
        const type = TOUCHES[name];
        const points = [...event.touches].slice(0, 10).map(livePoint);
        say({ kind: 'touch', type, points });
        if (type === 'end') focusKeyInput();
      },
      { passive: false },
    );
  on('touchstart', ({ touches: [touch] }) => {
    if (touch === undefined) return;
    [start, last, isScroll] = [touch, touch, false];
    press = setTimeout(() => {
      if (start !== null && !isScroll) click(start, 'right');
      start = null;
    }, LONG_PRESS_MS);
  });
  on('touchmove', ({ touches: [touch] }) => {
    if (touch === undefined || start === null || last === null) return;
    isScroll ||= Math.hypot(touch.clientX - start.clientX, touch.clientY - start.clientY) > TAP_PX;
    if (!isScroll) return;
    clearTimeout(press);
    const { width, height } = canvas.getBoundingClientRect();
    const way = { dx: (last.clientX - touch.clientX) / width, dy: (last.clientY - touch.clientY) / height };
    last = touch;
    say({ kind: 'wheel', ...way, held: 0, ...livePoint(start) });
  });
  on('touchend', () => {
    clearTimeout(press);
    if (start !== null && !isScroll) {
      click(start, 'left');
      focusKeyInput();
    }
    start = null;
  });
  on('touchcancel', () => {
    clearTimeout(press);
    start = null;
  });
}

const TOUCHES = { touchstart: 'start', touchmove: 'move', touchend: 'end', touchcancel: 'cancel' } as const;

function useKeys({ say, drives }: HandsOptions): void {
  const key = (event: KeyboardEvent, type: 'down' | 'up') => {
    // With AltGr, a key types a character such as @, so Ctrl and Alt are not reported for it.
    const held = event.getModifierState('AltGraph') ? 0 : heldOf(event);
    say({ kind: 'key', type, key: event.key, code: event.code, held, again: event.repeat });
  };
  const isKey = (event: KeyboardEvent) =>
    drives() && !event.isComposing && !/^(?:Process|Unidentified|Dead|AltGraph|Compose)$/.test(event.key);
  const isPaste = (event: KeyboardEvent) => (event.ctrlKey || event.metaKey) && /^[vcx]$/i.test(event.key);
  keys.addEventListener('keydown', (event) => {
    if (!isKey(event) || isPaste(event)) return;
    event.preventDefault();
    if (event.key === 'Escape' && event.shiftKey) return requireElement('give', HTMLButtonElement).focus();
    key(event, 'down');
  });
  keys.addEventListener('keyup', (event) => {
    if (isKey(event) && !isPaste(event)) key(event, 'up');
  });
  keys.addEventListener('paste', (event) => {
    event.preventDefault();
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (drives() && text !== '') say({ kind: 'text', text: text.slice(0, 20_000) });
  });
  keys.addEventListener('compositionupdate', ({ data }) => drives() && say({ kind: 'compose', text: data }));
  keys.addEventListener('compositionend', ({ data }) => {
    if (drives() && data !== '') say({ kind: 'text', text: data });
    else if (drives()) say({ kind: 'compose', text: '' });
    keys.value = '';
  });
  // Phone keyboards do not report key names, only the changes that they make to the text.
  keys.addEventListener('beforeinput', (event) => {
    if (event.isComposing || !drives()) return;
    event.preventDefault();
    const name = KEYS_OF_INPUT[event.inputType];
    if (name !== undefined) press(name);
    else if (event.data !== null) say({ kind: 'text', text: event.data });
  });
  const press = (name: string) => {
    for (const type of ['down', 'up'] as const)
      say({ kind: 'key', type, key: name, code: name, held: 0, again: false });
  };
}

const KEYS_OF_INPUT: Readonly<Record<string, string>> = {
  deleteContentBackward: 'Backspace',
  deleteContentForward: 'Delete',
  insertLineBreak: 'Enter',
  insertParagraph: 'Enter',
};
