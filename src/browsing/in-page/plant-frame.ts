import { pageScript } from './page-script.ts';

declare const self: { readonly origin: string };
declare const localStorage: Area;
declare const sessionStorage: Area;
declare const document: {
  createElement: (name: 'iframe') => { src: string };
  body: { append: (child: object) => void; replaceChildren: () => void };
};
declare const scrollX: number;
declare const scrollY: number;
declare function scrollTo(options: { left: number; top: number; behavior: 'instant' }): void;
type Area = { setItem: (key: string, value: string) => void };

/** Adds a frame to a blank document of ours. */
export const ADD_FRAME = pageScript(addFrame);

function addFrame(src: string): null {
  const frame = document.createElement('iframe');
  frame.src = src;
  document.body.append(frame);
  return null;
}

/** Takes its frames away again, so that the tab knows of none that is gone. */
export const REMOVE_FRAMES = pageScript(removeFrames);

function removeFrames(): null {
  document.body.replaceChildren();
  return null;
}

/**
 * Fills the storage that a document of this origin sees. `null`: this is another document, which stays as it is.
 * Otherwise how many entries the browser would not take. The entries come as JSON of `[key, value]` pairs.
 */
export const PLANT_FRAME = pageScript(plantFrame, [fill]);

function plantFrame(origin: string, local: string, session: string): number | null {
  if (self.origin !== origin) return null;
  return fill(() => localStorage, local) + fill(() => sessionStorage, session);
}

function fill(get: () => Area, json: string): number {
  let refused = 0;
  for (const [key, value] of JSON.parse(json)) {
    try {
      get().setItem(key, value);
    } catch {
      refused += 1;
    }
  }
  return refused;
}

/** Scrolls a document. Whether it could: it may not be tall enough yet. */
export const SCROLL_TO = pageScript(scrollDocument);

function scrollDocument(x: number, y: number): boolean {
  scrollTo({ left: x, top: y, behavior: 'instant' });
  return Math.abs(scrollX - x) < 2 && Math.abs(scrollY - y) < 2;
}
