import { isHitPartOfField } from './same-field.ts';
import { hitTestDeep, labelsOf, parentElementOf } from './safe-dom.ts';
import type { AnyElement, DocumentRoot } from './safe-dom.ts';
import type { GuardedEvents } from '#browsing/in-page/script-types.ts';
import { scriptState } from '#browsing/in-page/page/script-state.ts';

type Guard = Omit<GuardedEvents, 'isRemoved'> & {
  stop: () => void;
  /** All elements under the pointer at the press, topmost first. */
  under: readonly Element[];
  /** Tests whether the target is gone after the press. Absent before the press. */
  isRemoved?: () => boolean;
  /** Text that the keys write, if only the first must reach the target. {@link guardPresses} handles the later ones. */
  written: string | null;
};
type Tree = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;

declare global {
  interface ScriptState {
    guard?: Guard;
  }
}

/**
 * Blocks trusted events of these kinds that would reach another element, until {@link readClickGuard} ends this, for at
 * most `lifeMs`. With `written`, later keys than the first may follow the focus, but press no control. An element that
 * moves under the pointer or takes the focus at the last moment therefore never receives the input. Listens in each tree
 * from the document down to the element, because outside a closed shadow root events show only its host.
 */
export function armClickGuard(
  this: AnyElement,
  kinds: readonly string[],
  lifeMs: number,
  written: string | null = null,
): void {
  disarm();
  const guard: Guard = { ...NOTHING_GUARDED, accepted: [], refused: [], written };
  const stops = watchTrees(this, kinds, guard);
  guard.stop = () => {
    for (const stop of stops) stop();
  };
  setTimeout(() => guard.stop(), lifeMs);
  scriptState().guard = guard;
}

/**
 * Lets keys that are meant for the field follow the focus, except for a press of a foreign control, until
 * {@link readClickGuard} ends this, for at most `lifeMs`.
 * @param written text that the field received
 */
export function armPressGuard(this: AnyElement, kinds: readonly string[], lifeMs: number, written: string): void {
  disarm();
  const guard: Guard = { ...NOTHING_GUARDED, accepted: [], refused: [] };
  guardPresses(this, kinds, guard, written);
  setTimeout(() => guard.stop(), lifeMs);
  scriptState().guard = guard;
}

const NOTHING_GUARDED = { under: [], written: null, isPressBlocked: false, stop: () => {} };

function watchTrees(target: AnyElement, kinds: readonly string[], guard: Guard): (() => void)[] {
  const stops: (() => void)[] = [];
  let wanted: Element = target;
  for (let root: DocumentRoot = target.getRootNode(); ; root = wanted.getRootNode()) {
    if (root === document || root.host === undefined) {
      stops.push(watchTree(window, kinds, wanted, target, guard));
      return stops;
    }
    stops.push(watchTree(root, kinds, wanted, target, guard));
    wanted = root.host;
  }
}

function watchTree(
  tree: Tree,
  kinds: readonly string[],
  wanted: Element,
  target: AnyElement,
  guard: Guard,
): () => void {
  const listener = (event: Event) => {
    if (!event.isTrusted) return;
    const path = event.composedPath();
    if (isAllowed(path, wanted, target) || isEditorOf(event.type, path, target)) {
      if (wanted === target) guard.accepted.push(event.type);
      if (wanted === target && event instanceof MouseEvent && event.type === 'mousedown')
        notePress(event, target, guard);
      if (wanted === target && guard.written !== null) guardPresses(target, kinds, guard, guard.written);
      return;
    }
    if (isRelease(event) && isRaised(path[0], target, guard)) return;
    refuse(event, guard);
  };
  return listenTo(tree, kinds, listener);
}

/**
 * Lets keys follow the focus, except for a space or Enter that would press a control, or submit another form, to which
 * the page has moved the focus. From then on all keys are blocked. Ends with a key by which the caller moves the focus.
 * A field that holds exactly the written text is where the page lets the user continue, such as the search overlay that
 * replaces a search field.
 */
function guardPresses(target: AnyElement, kinds: readonly string[], guard: Guard, written: string): void {
  let successor: EventTarget | undefined;
  guard.stop();
  guard.stop = listenTo(window, kinds, (event) => {
    if (!event.isTrusted) return;
    const key = event instanceof KeyboardEvent ? event.key : '';
    const path = event.composedPath();
    // Compares at the first event of a key, because the page may clear the field when it handles the key.
    if (event.type === 'keydown') successor = holdsText(path, written) ? path[0] : undefined;
    const isPress =
      (key === 'Enter' && path[0] !== successor && isInForeignForm(path, target)) ||
      ((key === 'Enter' || key === ' ') && isForeignControl(path, target));
    if (isPress || guard.isPressBlocked) {
      guard.isPressBlocked = true;
      refuse(event, guard);
    } else if (key === 'Tab' || key.startsWith('Arrow')) {
      guard.stop();
    }
  });
}

/** True for a control that is neither in the target or around it, nor the button that Enter in the field would press. */
function isForeignControl(path: readonly EventTarget[], target: AnyElement): boolean {
  const [hit] = path;
  if (!isElement(hit) || path.includes(target) || hit.contains(target) || !hit.matches(PRESSED_BY_KEYS)) return false;
  const isDefault = hit.matches('button:default,input:is([type=submit],[type=image]):default');
  return !isDefault || Reflect.get(hit, 'form') !== Reflect.get(target, 'form');
}

/** True for a field in another form than the target. Enter would submit that form. */
function isInForeignForm([hit]: readonly EventTarget[], target: AnyElement): boolean {
  if (!isElement(hit) || hit === target || hit.localName !== 'input') return false;
  const form = Reflect.get(hit, 'form');
  return form !== null && form !== Reflect.get(target, 'form');
}

function holdsText([hit]: readonly EventTarget[], text: string): boolean {
  return text !== '' && hit instanceof HTMLInputElement && hit.type !== 'range' && hit.value === text;
}

const PRESSED_BY_KEYS =
  'a,area,button,summary,input:is([type=button],[type=submit],[type=reset],[type=image],[type=checkbox],[type=radio],[type=file],[type=color]),:is([role=button],[role=link],[role=checkbox],[role=switch],[role=radio],[role=tab],[role^=menuitem])';

function refuse(event: Event, guard: Guard): void {
  guard.refused.push(event.type);
  event.preventDefault();
  event.stopImmediatePropagation();
}

function listenTo(tree: Tree, kinds: readonly string[], listener: (event: Event) => void): () => void {
  // Not passive, because only `preventDefault` blocks a touch.
  for (const kind of kinds) tree.addEventListener(kind, listener, { capture: true, passive: false });
  return () => {
    for (const kind of kinds) tree.removeEventListener(kind, listener, true);
  };
}

/**
 * Allows events on the element, its content, parts drawn over it in the same field (such as an icon), and its labels or
 * the control it labels, because browsers forward a click on a label to its control.
 */
function isAllowed(path: readonly EventTarget[], wanted: Element, target: AnyElement): boolean {
  if (path.includes(wanted)) return true;
  const labelled = target.closest('label')?.control;
  if (labelled !== undefined && labelled !== null && path.includes(labelled)) return true;
  const [hit] = path;
  if (wanted === target && isElement(hit) && isHitPartOfField(hit, target)) return true;
  return labelsOf(target).some((label) => {
    const at = path.indexOf(label);
    return at >= 0 && !path.slice(0, at).some(isWorkedItself);
  });
}

/** True for an interactive element on an event's path. Shadow roots on the path have no `matches`. */
function isWorkedItself(inner: EventTarget): boolean {
  return isElement(inner) && inner.matches('a[href],button,input,select,textarea');
}

function isElement(target: EventTarget | undefined): target is HTMLElement {
  return target !== undefined && 'localName' in target && 'matches' in target;
}

function notePress(event: MouseEvent, target: AnyElement, guard: Guard): void {
  const { clientX: x, clientY: y } = event;
  const [root, state] = [target.getRootNode(), stateOf(target)];
  guard.under = stackAt(event);
  guard.isRemoved = () => {
    if (target.isConnected && target.checkVisibility({ visibilityProperty: true })) return false;
    let at = hitTestDeep(root, x, y);
    while (at !== null && stateOf(at) !== state) at = parentElementOf(at);
    return at === null;
  };
}

/** Tag, name and ARIA states. They change if a page redraws an option as chosen. */
function stateOf(element: Element): string {
  const read = (name: string) => Element.prototype.getAttribute.call(element, name);
  const text: string = Reflect.get(Node.prototype, 'textContent', element) ?? '';
  return [element.localName, read('aria-label') ?? text.trim(), ...STATES.map(read)].join('\n');
}

const STATES = ['aria-selected', 'aria-checked', 'aria-pressed', 'aria-expanded'];

function stackAt({ clientX, clientY }: MouseEvent): readonly Element[] {
  return Document.prototype.elementsFromPoint.call(document, clientX, clientY);
}

function isRelease({ type }: Event): boolean {
  return type === 'pointerup' || type === 'mouseup';
}

/**
 * True if the pointer was released on a shape that was below the target at the press, in the same SVG drawing. Charts
 * redraw the shape under the pointer above all others, and overlapping shapes are often one control, so the release
 * still belongs to the click.
 */
function isRaised(hit: EventTarget | undefined, target: AnyElement, { under }: Guard): boolean {
  if (!(hit instanceof SVGElement) || !(target instanceof SVGElement)) return false;
  return hit.ownerSVGElement !== null && hit.ownerSVGElement === target.ownerSVGElement && under.includes(hit);
}

/** True for the editor around the target: key events for a paragraph in rich text go to the whole editor. */
function isEditorOf(kind: string, [first]: readonly EventTarget[], target: AnyElement): boolean {
  if (kind !== 'beforeinput' && !kind.startsWith('key')) return false;
  return isElement(first) && first.isContentEditable && first.contains(target);
}

/**
 * Blocks all events of these kinds for `lifeMs`. Runs in the documents around a frame while an element in the frame
 * receives input.
 */
export function armOuterClickGuard(kinds: readonly string[], lifeMs: number): void {
  disarm();
  const guard: Guard = { ...NOTHING_GUARDED, accepted: [], refused: [] };
  guard.stop = listenTo(window, kinds, (event) => {
    if (event.isTrusted) refuse(event, guard);
  });
  setTimeout(guard.stop, lifeMs);
  scriptState().guard = guard;
}

export function readClickGuard(stops: boolean): GuardedEvents {
  const { accepted = [], refused = [], isPressBlocked = false, isRemoved } = scriptState().guard ?? {};
  if (stops) disarm();
  return { accepted, refused, isPressBlocked, isRemoved: isRemoved?.() ?? false };
}

function disarm(): void {
  scriptState().guard?.stop();
  delete scriptState().guard;
}
