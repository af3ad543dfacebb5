/** What a tab's last picture showed, and how the tab was when it was taken. */
export type Picture = {
  /** The documents noted under this name what they showed. */
  mark: string;
  loaderId: string;
  view: PictureView;
  /** What was pictured, in CSS pixels of the page. */
  clip: { x: number; y: number; width: number; height: number };
  /** Of the image itself, in its own pixels. */
  width: number;
  height: number;
};

/** Where a tab is scrolled to, and how much of its page it shows, in CSS pixels. */
export type PictureView = { x: number; y: number; width: number; height: number; zoom: number };
