/** Pixels. `x`, `y`: scroll position; `width`, `height`: whole content; `shown…`: visible part. */
export type Scrolled = {
  x: number;
  y: number;
  width: number;
  height: number;
  shownWidth: number;
  shownHeight: number;
  /** The centre of the scrolled box in the frame's viewport, where a wheel would be turned. */
  middle: { x: number; y: number };
  /** True per direction where nothing scrolls and boxes clip the overflow. */
  cutsOff: { across: boolean; down: boolean };
};
/** In pixels, or in lengths of the visible part less a tenth, which keeps some lines in view. */
export type Distance = { unit: 'px' | 'pages'; right: number; down: number };

/** A list of which the page draws a part. `shown`: height of that part; `height`: of the list. CSS pixels. */
export type UndrawnList = { shown: number; height: number };
