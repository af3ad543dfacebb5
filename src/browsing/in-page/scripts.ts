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
 * Which hosts may open sockets, following the rules for sites: in each list, the first matching pattern decides. A
 * socket is stopped if any list stops it.
 */
export type SocketHosts = { hosts: [pattern: string, isStopped: boolean][]; isStopped: boolean }[];

/** Scripts that run in a document as a whole, or on an element of it. */
export type DocumentScripts = DrawingScripts & {
  /** Starts counting changes of the document and, when called on an element, of its shadow tree. */
  markChanges: () => void;
  /** True as soon as anything has changed since the mark; false when the time is up. */
  changedSoon: (ms: number) => boolean;
  /** True if nothing changed for `quietMs`, counted from `sinceMs` ago. Takes from `leastMs` to `ms`. */
  quietSoon: (quietMs: number, sinceMs: number, leastMs: number, ms: number) => boolean;
  /**
   * True if a loaded document still changes: in the next frame, until its scripts are idle (due timers and
   * intersection observers have run), and for a `share` of its load time. Waits `ms` at most.
   */
  changedOnceLoaded: (share: number, ms: number) => boolean;
  /** Blocks all events of these kinds. Runs in a document around an element's frame. */
  armGuardAround: (kinds: readonly string[], lifeMs: number) => void;
  guardState: (stops: boolean) => Guarded;
  /** Records from now on the fields whose validation blocks a form, because no view shows the browser's messages. */
  watchInvalid: (fieldsMax: number) => void;
  typedFields: (max: number) => TextWithCuts[];
  /** Returns the recorded fields and stops recording. */
  takeInvalid: () => InvalidFieldInPage[];
  /** Called on a document: scrolls it, or its largest pane. Called on an element: scrolls it, or the box around it. */
  scroll: (distance: Distance) => Scrolled;
  lookForText: (wanted: string, aroundChars: number) => Looked;
  /** Name of the open modal dialog in front of this element, or of a visible element with these words; `''` for none. */
  behindDialog: (words: string, within: string) => TextWithCuts;
  shownWords: (charsMax: number) => ShownWords;
  lookForSelector: (selector: string) => Looked;
  /** Draws the values of fields as dots, or stops drawing them so. */
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
  /** Short messages since the last call. The first call starts recording; `goesOn` continues the recording. */
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
  /** Starts reading a download. Returns `null` if the document cannot read it. */
  openSaved: (url: string, key: number) => Saved | null;
  /** The next bytes of a download, in base64; `null` at the end. */
  readSaved: (key: number, bytesMax: number) => string | null;
  endSaved: (key: number) => void;
  /** Adds a frame to a blank document of this server. */
  addFrame: (src: string) => void;
  /** Removes the frames of that document, so that the tab does not list frames that are gone. */
  removeFrames: () => void;
  /**
   * Fills the storage of a document of this origin. Returns `null`, without changes, if the document has another
   * origin; otherwise the number of entries that the browser refused. The entries are JSON of `[key, value]` pairs.
   */
  plantFrame: (origin: string, local: string, session: string) => number | null;
  /** Scrolls a document. Returns false if it could not, for example because the document is not tall enough yet. */
  scrollDocumentTo: (x: number, y: number) => boolean;
};

/** Scripts that run on an element only. */
export type ElementScripts = {
  actFacts: () => ElementSeen;
  choiceFacts: (wanted: readonly string[]) => ElementSeen;
  clickKind: () => ClickKind;
  /**
   * Waits until the element accepts an action, and returns the point for the action.
   * @param stays true to leave boxes scrolled that only scripts can scroll; otherwise {@link
   * DocumentScripts.changedSoon} scrolls them back
   * @param words the text inside the element to act on; `''` for the whole element
   */
  readyPoint: (budgetMs: number, isHit: boolean, stays: boolean, words: string) => Readiness;
  drawsItself: () => boolean;
  isHitAt: (x: number, y: number) => boolean;
  isAwayFrom: (x: number, y: number) => boolean;
  /** Called on an `<iframe>`: true if it is the page's hit target at a point of its document's viewport. */
  frameHit: (x: number, y: number) => boolean;
  /**
   * Blocks real events of these kinds for all other elements, until one reaches the element or {@link
   * DocumentScripts.guardState} ends the guard.
   */
  armGuard: (kinds: readonly string[], lifeMs: number, isForFirst?: boolean) => void;
  lookAtElement: () => Looked;
  /** Describes an element without a name, in the page's words. */
  describeElement: () => TextWithCuts;
  /** @param role from the accessibility tree, which also has the roles that a script sets through `ElementInternals` */
  field: (role?: string) => Field;
  /** Focuses the field and selects its content, or moves the caret to the end. True if the field has the focus. */
  focusField: (selects: 'all' | 'end') => boolean;
  /** Sets a value as a picker would. Returns the value that the field has afterwards. */
  setExact: (value: string) => string;
  choose: (wanted: readonly string[], maxShown: number) => Choice;
  /**
   * Called on an option of a list that draws only some options. Scrolls the list until an option has the words.
   * @param fromTop true to start at the beginning of the list
   * @param isWhole true if the words are the full name of the option
   */
  searchList: (wanted: string, ms: number, fromTop: boolean, isWhole: boolean) => ListSearch;
  /** Options of the field's `<datalist>`; `null` for a field without one. */
  listedFor: (wanted: string, maxShown: number) => Listed | null;
  /** Types a secret if the field is on one of the sites. With `null`, only checks the sites. */
  typeSecret: (text: string | null, sites: readonly string[], manner: SecretManner) => SecretTyped;
  /** Empties fields in which the page left part of a secret. False if this element's typing filled one of them. */
  keepsSecretWhole: () => boolean;
  /** The marks changed since {@link DocumentScripts.markChanges} on the element, inside it and around it. */
  marksSince: () => Marks;
  isInDocument: () => boolean;
  /** True if the element is under the pointer or contains the focus. */
  isUnderHand: () => boolean;
  /** Stores a part of the file that {@link ElementScripts.putFile} creates. */
  takePiece: (base64: string, isFirst: boolean) => void;
  /** Puts a file made of the stored parts into the field, or drops it on the element. `bytes`: expected size. */
  putFile: (name: string, type: string, bytes: number) => PutFile;
};

/** Scripts whose arguments or results are not plain data but elements or values of the page. */
export type HandleScripts = {
  /** Returns an object with the number of matches (`count`) and the first elements. Throws for an invalid selector. */
  findElements: (selector: string, max: number) => object;
  /** Returns the root of the document or, for text, the body if it is editable as a whole. */
  wholeDocument: (isForText: boolean) => object;
  elementAt: (x: number, y: number) => object | null;
  /** Called on an element that cannot be clicked. Returns the elements that cover it, in the form of `findElements`. */
  coversOf: (max: number) => object;
  /** Called on an element. Returns it and its ancestors, in the form of `findElements`. */
  ancestorsOf: (max: number) => object;
  focusedFrame: () => object | null;
  /** Called on a text node. Returns its parent element. */
  elementOfText: () => object | null;
  replacedBy: () => object | null;
  /** Returns an object with the `PointState` of a point of the screenshot as `state`, and the `hit` element there. */
  underPoint: (mark: string, x: number, y: number) => object;
  /** About `max` nodes of the document, or of one element, starting at a node or at the beginning. */
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
  /** Boxes of elements in their document's viewport; `null` for an element that is invisible or covered. */
  boxesOf: (...elements: never[]) => (Box | null)[];
  /** JSON of a value within `charsMax` and `depthMax`. Runs in the page's own world. */
  toJson: (value: unknown, charsMax: number, depthMax: number) => CappedJson;
};

export type DocumentPart<Node> = {
  elements: number;
  /** True if the part begins at the requested node. After a search: true if these are all matching parts. */
  isThere: boolean;
  /** Nodes of the part, each with its whole content, in reading order. */
  whole: Node[];
  around: Node[];
  /** First node of the next part; `null` at the end. */
  next: Node | null;
};

/** Facts that only the DOM has. */
export type TellingElements<Node> = {
  /** True if the accessibility tree read earlier is outdated, because it has gained elements. */
  isTreeOld: boolean;
  elements: number;
  /** Elements without a role that react to a click (a hand cursor, an `onclick`), and the current element of a set. */
  telling: Node[];
  /** Fields that are not empty, and elements that show only an icon. */
  others: Node[];
  hints: Hint<Node>[];
  unseen: Node[];
  /** Texts that have a visible gap before them, but no space character. */
  apart: Node[];
  /** Texts that begin a line below the previous text, in another box. */
  below: Node[];
  silent: SilentText<Node>[];
  silentLeft: number;
  /** Elements under the pointer or around the focus. */
  underHand: Node[];
  /** Elements that a style puts over the other content of the page. */
  over: Node[];
};
/** A hint for an element without a name, such as its class or tooltip. `file`: address of the file that it shows. */
export type Hint<Node> = { element: Node; kind: HintKind; words: string };
type HintKind = 'tooltip' | 'icon' | 'class' | 'title' | 'placeholder' | 'frame' | 'file' | 'checked';
/** A visible line of text that assistive technology does not get, or a canvas (without words). */
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
  /** Called on a watch of timers. Resolves when the recorded timers have run. */
  timersOver: () => boolean;
};
export type TimerWatch = { dueInMs: () => number; stop: () => void; wait: (ms: number) => Promise<void> };

type Scripts = DocumentScripts & ElementScripts & HandleScripts & GuardScripts & TimerScripts;

/** The source of the function `Name`, bundled with its dependencies. */
export type Source<Name extends keyof Scripts> = string & { readonly runs: Name };

export type Sendable = readonly Json[];

/** `hidden`: in the document, but invisible. `words`: for a visible text, the text around it. */
export type Looked = { state: 'seen' | 'hidden' | 'missing' | 'invalid'; words: TextWithCuts };

/** Added (`came`) and removed (`went`) classes and attributes, in the page's words. */
export type Marks = { came: TextWithCuts[]; went: TextWithCuts[] };

export type ShownWords = { words: TextWithCuts; isAll: boolean };

/** State of a point of the page compared with the screenshot. */
export type PointState = 'same' | 'disabled' | 'changed' | 'nothing';

/**
 * Result of a click on the element: mostly a picker, which no view and no screenshot shows. `text`: a field for typing.
 * `list`: a list box, where a click chooses the option under the pointer.
 */
export type ClickKind = 'plain' | 'option' | 'select' | 'list' | 'file' | 'picker' | 'text';

type Unready = 'covered' | 'hidden' | 'disabled' | 'moved' | 'replaced';
/** Pixels of the frame's viewport. `by`: the covering element. `mayHoldFrame`: a press may go to a frame. */
export type Readiness =
  | { state: 'ready'; x: number; y: number; mayHoldFrame?: boolean }
  | { state: Unready; by: TextWithCuts | null; where?: Outside | undefined };
export type Outside = 'left' | 'right' | 'above' | 'below';

export type Saved = { contentType: string | null };

/** Outcome of putting a file. `held`: number of files in the field afterwards. `broken`: the file is incomplete. */
export type PutFile = { outcome: 'field' | 'dropped' | 'disabled' | 'not_taken' | 'broken'; held: number };

/** Kinds of events that reached the element, and kinds that were blocked for other elements. */
export type Guarded = { accepted: string[]; refused: string[] };

/**
 * The way to fill a field. `text`: by typing. `exact`: by a value in a fixed format. `choice`: from a list. `check`: on
 * or off. `none`: the field cannot be filled.
 */
export type FieldKind = 'text' | 'editable' | 'exact' | 'choice' | 'check' | 'file' | 'none';
export type Field = {
  kind: FieldKind;
  type: string;
  isSecret: boolean;
  isReadOnly: boolean;
  value: string;
  /** True if the element is part of the current document. */
  isThere: boolean;
  hasFocus: boolean;
  /** True if the field has a list of options and holds a text that is not known to be one of them. */
  lacksOption: boolean;
};
/** `labels`: labels of the matched options, in the form of a field value. */
export type Choice = {
  chosen: number;
  missing: string[];
  /** True if a missing option is in the list, but disabled. */
  isDisabled: boolean;
  options: TextWithCuts[];
  isMultiple: boolean;
  labels: string;
};

/** `ended`: the list was scrolled to its end. `isThere`: a script can scroll the list. Lengths in pixels. */
export type ListSearch = {
  isFound: boolean;
  isThere: boolean;
  ended: boolean;
  moved: boolean;
  at: number;
  height: number;
};

export type Listed = { value: TextWithCuts | null; options: TextWithCuts[] };
/** `control`: a button, link or box that takes no text. `field`: any other focused element. */
export type FocusKind = 'nothing' | 'control' | 'field';

/** A field whose validation blocked a form. The texts come from the page and the browser. */
export type InvalidFieldInPage = { name: TextWithCuts; problem: TextWithCuts };

/** `hidesFields`: true to leave out the content of fields. */
export type HtmlOptions = { charsMax: number; attributeCharsMax: number; keepsScripts: boolean; hidesFields: boolean };
/** `scripts`, `styles`: numbers of elements left out. `shadowRoots`: number of shadow roots written as templates. */
export type Html = { html: TextWithCuts; isCut: boolean; scripts: number; styles: number; shadowRoots: number };

/** `keepsValues`: true to keep field values that are not private, for a page in which nobody types. */
export type VisibleOptions = {
  charsMax: number;
  attributeCharsMax: number;
  looksMax: number;
  hidesFields: boolean;
  keepsValues: boolean;
};
/** The kind of obstacle that only a person can pass; empty for none. */
export type Wall = 'password' | 'code' | 'captcha' | '';
/** Choices in list order; a disabled choice is empty. `place`: box of the field, as fractions of the frame. */
export type Choices = { labels: string[]; chosen: number; place: Box };
/** `hidden`: number of parts that are marked as hidden, plus invisible texts left out. */
export type VisibleHtml = { html: TextWithCuts; isCut: boolean; hidden: number };

/** A box on a page, in CSS pixels from the top left of the document unless stated otherwise. */
export type Box = { x: number; y: number; width: number; height: number };
export type Placed = { name: string; box: Box; label: Box; colour: string };

/** Storage and location of a document, as far as the document may read them. */
export type FrameFacts = {
  /** Origin of the document; `null` for an opaque origin, which has no storage. */
  origin: string | null;
  title: string;
  scrollX: number;
  scrollY: number;
  local: AreaFacts | null;
  session: AreaFacts | null;
  databases: number;
  caches: number;
};
/** JSON of `[key, value]` pairs. Strings that are not well-formed Unicode survive in JSON. */
export type AreaFacts = { entries: string; omitted: number };
/** The result of a script as JSON text within its limits; `isCut` when part of it is left out. */
export type CappedJson = { json: TextWithCuts; isCut: boolean };
