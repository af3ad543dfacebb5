/** What a tab's last picture showed, and the state of the tab when it was taken. */
export type Picture = {
  /** The name under which the documents noted what they showed. */
  mark: string;
  loaderId: string;
  view: PictureView;
  /** The area of the picture, in CSS pixels of the page. */
  clip: { x: number; y: number; width: number; height: number };
  /** The image itself, in its own pixels. */
  width: number;
  height: number;
};

/** The scroll position of a tab and the size of what it shows, in CSS pixels. */
export type PictureView = { x: number; y: number; width: number; height: number; zoom: number };
