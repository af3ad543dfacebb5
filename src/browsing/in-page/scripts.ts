/**
 * Parameters and results of each script that runs in pages. The scripts are functions of the same names in the files
 * next to this one, which use the DOM library and nothing else. `generated/page-scripts.js` contains their bundled
 * sources; "go to definition" on a name from it leads to the function. `tabs/call-in-page.ts` runs them.
 */
import type { TextWithCuts } from '#core/text/page-texts.ts';
import type { Distance, Scrolled, UndrawnList } from '#browsing/in-page/view/scrolling.ts';
import type { ElementSeen } from '#browsing/in-page/asking/seen.ts';
import type { SecretManner, SecretTyped } from '#browsing/in-page/secrets/secret-typed.ts';
import type { DrawingScripts } from '#browsing/in-page/view/drawn.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

/**
 * Rules for sockets by host, as the rules for sites have them: in each list the first pattern that fits decides. A socket
 * is stopped if any list stops it.
 */
export type SocketHosts = { hosts: [pattern: string, isStopped: boolean][]; isStopped: boolean }[];

/** Scripts that run in a document as a whole, or on an element of it. */
export type DocumentScripts = DrawingScripts & {
  /** Starts counting changes: those of the document and, on an element, of its shadow tree. */
  markChanges: () => void;
  /** True as soon as anything has changed since the mark; false when the time is up. */
  changedSoon: (ms: number) => boolean;
  /** True if nothing changed for `quietMs`, counted from `sinceMs` ago. Resolves after `leastMs` to `ms`. */
  quietSoon: (quietMs: number, sinceMs: number, leastMs: number, ms: number) => boolean;
  /**
   * True if a loaded document still changes: in the next frame, until its scripts are idle (due timers and
   * intersection observers have run), and for a `share` of its load time. Waits `ms` at most.
   */
  changedOnceLoaded: (share: number, ms: number) => boolean;
  /** In a document around an element's frame: blocks all events of these kinds. */
  armGuardAround: (kinds: readonly string[], lifeMs: number) => void;
  guardState: (stops: boolean) => Guarded;
  /** Records from now on the fields whose validation blocks a form. No view shows the browser's messages. */
  watchInvalid: (fieldsMax: number) => void;
  typedFields: (max: number) => TextWithCuts[];
  /** Returns the recorded fields and stops recording. */
  takeInvalid: () => InvalidFieldInPage[];
  /** On a document: scrolls it, or its largest pane. On an element: scrolls it, or the box around it. */
  scroll: (distance: Distance) => Scrolled;
  lookForText: (wanted: string, aroundChars: number) => Looked;
  shownWords: (charsMax: number) => ShownWords;
  lookForSelector: (selector: string) => Looked;
  /** Draws the values of fields as dots, or stops doing so. */
  hideTyped: (isOn: boolean, blanks: boolean) => void;
  emptySecrets: () => void;
  /** The window's name and its referrer. */
  handedOver: () => string;
  editableTexts: () => string[];
  guardEditables: (at: readonly number[]) => void;
  allText: () => string;
  controlText: () => string;
  /** Draws boxes over parts of `allText`, or removes them. Returns false if its length has changed. */
  coverText: (chars: number, places: readonly (readonly [start: number, end: number])[]) => boolean;
  /** Resolves after the page has run the tasks that were due after the last key, such as selection events. */
  nextTask: () => true;
  wallHere: () => Wall;
  factsAt: (x: number, y: number) => ElementSeen | null;
  focusedFacts: (accessKey: string) => ElementSeen | null;
  focusKind: () => FocusKind;
  /** Short messages since the last call. The first call starts recording; `goesOn` continues it. */
  announced: (goesOn: boolean) => TextWithCuts[];
  /** Choices of the focused list. */
  listChoices: (max: number) => Choices | null;
  chooseInList: (at: number) => void;
  html: (options: HtmlOptions) => Html;
  visibleHtml: (options: VisibleOptions) => VisibleHtml;
  undrawnList: () => UndrawnList | null;
  notePicture: (mark: string, elementsMax: number) => void;
  selectedText: (charsMax: number) => TextWithCuts;
  countElements: (enough: number) => number;
  /** Length of all text of the document, visible or not, and the document's height in CSS pixels. */
  textSize: () => { chars: number; height: number };
  /** Size in CSS pixels; `density`: screen pixels per CSS pixel. */
  viewport: () => { width: number; height: number; density: number };
  /** Resolves when fonts and loading images are ready. Lazy images outside the viewport do not count. */
  drawn: () => void;
  /** Draws labels on an image. Returns base64. */
  draw: (jpegBase64: string, placed: readonly Placed[], fontPx: number, quality: number, scale: number) => string;
  readFrame: (maxBytes: number) => FrameFacts;
  /** @param withFocus true if another focused field counts as a change */
  pageState: (compares: boolean, withFocus?: boolean) => boolean | null;
  /** Starts reading a download. `null`: the document cannot read it. */
  openSaved: (url: string, key: number) => Saved | null;
  /** The next bytes of a download, in base64; `null` at the end. */
  readSaved: (key: number, bytesMax: number) => string | null;
  endSaved: (key: number) => void;
  /** Adds a frame to a blank document of ours. */
  addFrame: (src: string) => void;
  /** Removes the frames of that document, so that the tab does not list frames that are gone. */
  removeFrames: () => void;
  /**
   * Fills the storage of a document of this origin. `null`: the document has another origin and is left unchanged.
   * Otherwise the number of entries that the browser refused. The entries are JSON of `[key, value]` pairs.
   */
  plantFrame: (origin: string, local: string, session: string) => number | null;
  /** Scrolls a document. Returns false if it could not: it may not be tall enough yet. */
  scrollDocumentTo: (x: number, y: number) => boolean;
};

/** Scripts that run on an element only. */
export type ElementScripts = {
  actFacts: () => ElementSeen;
  clickKind: () => ClickKind;
  /**
   * Waits until the element accepts an action, and returns the point for it.
   * @param stays true to leave boxes scrolled that only scripts can scroll; otherwise they return when changes are
   * looked for
   * @param words the text inside the element to act on; `''` for the whole element
   */
  readyPoint: (budgetMs: number, isHit: boolean, stays: boolean, words: string) => Readiness;
  drawsItself: () => boolean;
  isHitAt: (x: number, y: number) => boolean;
  isAwayFrom: (x: number, y: number) => boolean;
  /** On an `<iframe>`: true if the page hits it at a point of its document's viewport. */
  frameHit: (x: number, y: number) => boolean;
  /**
   * Keeps real events of these kinds from all other elements, until one reaches the element or {@link
   * DocumentScripts.guardState} ends the guard.
   */
  armGuard: (kinds: readonly string[], lifeMs: number, isForFirst?: boolean) => void;
  lookAtElement: () => Looked;
  /** Describes an element without a name, in the page's words. */
  describeElement: () => TextWithCuts;
  /**
   * @param role from the accessibility tree, which also knows roles that a script has set through `ElementInternals`
   */
  field: (role?: string) => Field;
  /** Focuses the field and selects its content, or moves the caret to the end. True if it has the focus. */
  focusField: (selects: 'all' | 'end') => boolean;
  /** Sets a value as a picker would. Returns the value that the field then has. */
  setExact: (value: string) => string;
  choose: (wanted: readonly string[], maxShown: number) => Choice;
  /**
   * On an option of a list that draws only some of its options: scrolls the list until an option has the words.
   * @param fromTop true to start at the beginning of the list
   * @param isWhole true if the words are the full name of the option
   */
  searchList: (wanted: string, ms: number, fromTop: boolean, isWhole: boolean) => ListSearch;
  /** `null` for a field without a `<datalist>`. */
  listedFor: (wanted: string, maxShown: number) => Listed | null;
  /** Types a secret, if the field is on one of its sites. `null` only checks the sites. */
  typeSecret: (text: string | null, sites: readonly string[], manner: SecretManner) => SecretTyped;
  /** Empties fields in which the page left part of a secret. False if one belongs to this element's typing. */
  keepsSecretWhole: () => boolean;
  /**
   * The marks that the page has changed on the element, in it and around it since {@link DocumentScripts.markChanges}.
   */
  marksSince: () => Marks;
  isInDocument: () => boolean;
  /** True if the element is under the pointer or contains the focus. */
  isUnderHand: () => boolean;
  /** Stores a part of the file that {@link ElementScripts.putFile} creates. */
  takePiece: (base64: string, isFirst: boolean) => void;
  /** Puts a file of the stored parts into the field, or drops it on the element. `bytes`: expected size. */
  putFile: (name: string, type: string, bytes: number) => PutFile;
};

/** Scripts whose arguments or results are not plain data: elements of a page, or values of its own. */
export type HandleScripts = {
  /** Returns an object with the `count` and the first elements. Throws for an invalid selector. */
  findElements: (selector: string, max: number) => object;
  /** Returns the root of the document or, for text, the body if it is editable as a whole. */
  wholeDocument: (isForText: boolean) => object;
  elementAt: (x: number, y: number) => object | null;
  /** On an element that could not be clicked: returns the elements that covered it, in the form of `findElements`. */
  coversOf: (max: number) => object;
  /** On an element: returns it and its ancestors, in the form of `findElements`. */
  ancestorsOf: (max: number) => object;
  focusedFrame: () => object | null;
  /** On a text node: returns its parent element. */
  elementOfText: () => object | null;
  replacedBy: () => object | null;
  /** Returns an object with the `state` of a point of the screenshot, a `PointState`, and the `hit` element there. */
  underPoint: (mark: string, x: number, y: number) => object;
  /** About `max` nodes, starting at a node or at the beginning; all of them in one element, or in the document. */
  partOf: (max: number, from: never, within: never) => DocumentPart<object>;
  /** The parts that may contain a name. */
  partsNamed: (words: string, max: number) => DocumentPart<object>;
  partsAround: (...elements: never[]) => DocumentPart<object>;
  tellingElements: (
    max: number,
    othersMax: number,
    textsMax: number,
    silentMax: number,
    part?: never,
  ) => TellingElements<object>;
  /** Boxes of elements in the viewport of their document; `null` for an element that is invisible or covered. */
  boxesOf: (...elements: never[]) => (Box | null)[];
  /** Runs in the page's own world: a value as JSON within `charsMax` and `depthMax`. */
  toJson: (value: unknown, charsMax: number, depthMax: number) => CappedJson;
};

export type DocumentPart<Node> = {
  elements: number;
  /** True if the part begins at the requested node; for a search, true if these are all parts. */
  isThere: boolean;
  /** Nodes of the part whose whole content belongs to it, in reading order. */
  whole: Node[];
  around: Node[];
  /** First node of the next part; `null` when there is none. */
  next: Node | null;
};

/** Facts that only the DOM has. */
export type TellingElements<Node> = {
  /** True if the accessibility tree has more elements from now on. */
  isTreeOld: boolean;
  elements: number;
  /** Elements that react to a click without a role (a hand cursor, an `onclick`), and the current element of a set. */
  telling: Node[];
  /** Fields that are not empty, and elements that show only an icon. */
  others: Node[];
  hints: Hint<Node>[];
  unseen: Node[];
  /** Texts with a gap before them that is not a space. */
  apart: Node[];
  /** Texts that begin a line below the text before them, in another box. */
  below: Node[];
  silent: SilentText<Node>[];
  silentLeft: number;
  /** Elements under the pointer or around the focus. */
  underHand: Node[];
  /** Elements whose style puts them over the other content of the page. */
  over: Node[];
};
/** A hint for an element without a name, such as its class or tooltip. `file`: address of the file it shows. */
export type Hint<Node> = { element: Node; kind: HintKind; words: string };
type HintKind = 'tooltip' | 'icon' | 'class' | 'title' | 'placeholder' | 'frame' | 'file' | 'checked';
/** A visible line of text that assistive technology does not get, or a canvas, without words. */
export type SilentText<Node> = {
  block: Node;
  words: string;
  /** The last text before the line that assistive technology gets. */
  after: Node | null;
  /** Elements around the line that may be in the accessibility tree, innermost first. */
  around: Node[];
};

/** Scripts that run in the page's own world before any script of the page. */
export type GuardScripts = {
  guardDocument: (sockets: SocketHosts | null) => void;
  guardWorker: () => void;
  forbidSharedWorkers: () => void;
};

/** Scripts that run in the page's own world during an action. */
export type TimerScripts = {
  watchTimers: (msMax: number) => TimerWatch;
  /** Runs on a watch. */
  timersOver: () => boolean;
};
export type TimerWatch = { dueInMs: () => number; stop: () => void; wait: (ms: number) => Promise<void> };

type Scripts = DocumentScripts & ElementScripts & HandleScripts & GuardScripts & TimerScripts;

/** The source of the function `Name`, bundled with its dependencies. */
export type Source<Name extends keyof Scripts> = string & { readonly runs: Name };

export type Sendable = readonly Json[];

/** `hidden`: in the document, but invisible. `words`: the text around a visible text. */
export type Looked = { state: 'seen' | 'hidden' | 'missing' | 'invalid'; words: TextWithCuts };

/** Classes and attributes that were added or removed, in the page's words. */
export type Marks = { came: TextWithCuts[]; went: TextWithCuts[] };

export type ShownWords = { words: TextWithCuts; isAll: boolean };

/** State of a point, compared with the screenshot. */
export type PointState = 'same' | 'disabled' | 'changed' | 'nothing';

/**
 * The picker that a click on the element opens, which no view and no screenshot shows. `text`: a field for typing.
 * `list`: a list box, where a click chooses the option under the pointer.
 */
export type ClickKind = 'plain' | 'option' | 'select' | 'list' | 'file' | 'picker' | 'text';

type Unready = 'covered' | 'hidden' | 'disabled' | 'moved' | 'replaced';
/** Pixels of the frame's viewport; `by`: the covering element. `mayHoldFrame`: a press may go to a frame. */
export type Readiness =
  | { state: 'ready'; x: number; y: number; mayHoldFrame?: boolean }
  | { state: Unready; by: TextWithCuts | null; where?: Outside | undefined };
export type Outside = 'left' | 'right' | 'above' | 'below';

export type Saved = { contentType: string | null };

/** Outcome of putting a file; `held`: files in the field afterwards. `broken`: the file did not arrive whole. */
export type PutFile = { outcome: 'field' | 'dropped' | 'disabled' | 'not_taken' | 'broken'; held: number };

/** Kinds of events that reached the element, and kinds that were kept from another element. */
export type Guarded = { accepted: string[]; refused: string[] };

/**
 * The way to fill a field: `text` by typing, `exact` by a value in a set format, `choice` from a list, `check` on or
 * off, `none` if it cannot be filled.
 */
export type FieldKind = 'text' | 'editable' | 'exact' | 'choice' | 'check' | 'file' | 'none';
export type Field = {
  kind: FieldKind;
  type: string;
  isSecret: boolean;
  isReadOnly: boolean;
  value: string;
  /** True if the element is part of its current document, not of an earlier one or of none. */
  isThere: boolean;
  hasFocus: boolean;
};
/** `labels`: of the matched options, in the form of a field value. */
export type Choice = {
  chosen: number;
  missing: string[];
  options: TextWithCuts[];
  isMultiple: boolean;
  labels: string;
};

/** `ended`: the list was scrolled to its end. `isThere`: a script can scroll the list. Pixels. */
export type ListSearch = {
  isFound: boolean;
  isThere: boolean;
  ended: boolean;
  moved: boolean;
  at: number;
  height: number;
};

export type Listed = { value: TextWithCuts | null; options: TextWithCuts[] };
/** `control`: a button, link or box that takes no text. `field`: anything else. */
export type FocusKind = 'nothing' | 'control' | 'field';

/** A field whose validation blocked a form, in the words of the page and of the browser. */
export type InvalidFieldInPage = { name: TextWithCuts; problem: TextWithCuts };

/** `hidesFields`: leaves out the content of fields. */
export type HtmlOptions = { charsMax: number; attributeCharsMax: number; keepsScripts: boolean; hidesFields: boolean };
/** `scripts`, `styles`: numbers left out; `shadowRoots`: number written as templates. */
export type Html = { html: TextWithCuts; isCut: boolean; scripts: number; styles: number; shadowRoots: number };

/** `keepsValues`: keeps field values except private ones, for a page in which nobody types. */
export type VisibleOptions = {
  charsMax: number;
  attributeCharsMax: number;
  looksMax: number;
  hidesFields: boolean;
  keepsValues: boolean;
};
/** The kind of obstacle for which a person is needed; empty for none. */
export type Wall = 'password' | 'code' | 'captcha' | '';
/** Choices in list order; a disabled choice is empty. `place`: the box of the field, as shares of the frame. */
export type Choices = { labels: string[]; chosen: number; place: Box };
/** `hidden`: number of parts marked as hidden, and of invisible texts left out. */
export type VisibleHtml = { html: TextWithCuts; isCut: boolean; hidden: number };

/** A box on a page, in CSS pixels from the top left of the document unless stated otherwise. */
export type Box = { x: number; y: number; width: number; height: number };
export type Placed = { name: string; box: Box; label: Box; colour: string };

/** Storage and location of a document, as far as the document may read them. */
export type FrameFacts = {
  /** `null` for a document without an origin of its own, which has no storage. */
  origin: string | null;
  title: string;
  scrollX: number;
  scrollY: number;
  local: AreaFacts | null;
  session: AreaFacts | null;
  databases: number;
  caches: number;
};
/** JSON of `[key, value]` pairs. JSON preserves strings that are not well-formed Unicode. */
export type AreaFacts = { entries: string; omitted: number };
/** The result of a script as JSON text within its limits; `isCut` when part of it is left out. */
export type CappedJson = { json: TextWithCuts; isCut: boolean };
