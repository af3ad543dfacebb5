/** Lengths in pixels. `x`, `y`: scroll position; `width`, `height`: whole content; `shown…`: visible part. */
export type Scrolled = {
  x: number;
  y: number;
  width: number;
  height: number;
  shownWidth: number;
  shownHeight: number;
  /** The centre of the scrolled box in the frame's viewport, the place for a wheel event. */
  middle: { x: number; y: number };
  /** For each direction: true if nothing scrolls there and boxes clip the overflow. */
  cutsOff: { across: boolean; down: boolean };
};
/** `px`: pixels. `pages`: visible lengths less a tenth, so that some lines stay in view. */
export type Distance = { unit: 'px' | 'pages'; right: number; down: number };

/** A list of which the page draws only a part. `shown`: height of that part; `height`: of the list, in CSS pixels. */
export type UndrawnList = { shown: number; height: number };
