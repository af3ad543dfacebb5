import type { IncomingMessage, ServerResponse } from 'node:http';
import { send, startOrigin } from './origin.ts';
import type { Origin } from './origin.ts';

/**
 * A page that records every trusted input event in `seen`, with its own time. The server counts purchases and can hold
 * answers back, so that a test decides how long a step takes.
 */
export type ShopSite = Origin & {
  /** Purchases since {@link opened}. */
  bought: () => number;
  /** Leaves purchases and the pages of `/page` unanswered until {@link release}. */
  hold: () => void;
  /** Answers every held request. */
  release: () => void;
  /** Resolves once the page has seen `count` events of a type. */
  sees: (type: string, count?: number) => Promise<void>;
  /** Shows the text "Ready" on the open page, also if that begins to listen only later. */
  announce: () => void;
  /** Forgets earlier visitors: their late requests no longer count. @returns the address of the page */
  opened: () => string;
};

export async function startShopSite(): Promise<ShopSite> {
  let visit = 0;
  let bought = 0;
  let isHeld = false;
  let isReady = false;
  let held: ServerResponse[] = [];
  let listeners: ServerResponse[] = [];
  let seen = new Map<string, number>();
  let looks: (() => void)[] = [];
  const answer = (response: ServerResponse) => {
    if (isHeld) held.push(response);
    else response.writeHead(200, { 'content-type': 'text/plain' }).end('done');
  };
  const release = () => {
    isHeld = false;
    for (const response of held.splice(0)) answer(response);
  };
  const isOfVisit = (asked: URL) => asked.searchParams.get('visit') === String(visit);
  const origin = await startOrigin({
    '/shop': send(SHOP),
    '/buy': (request, response) => {
      if (isOfVisit(addressOf(request))) bought += 1;
      answer(response);
    },
    '/hold': (_request, response) => answer(response),
    '/page': (_request, response) => answer(response),
    '/seen': (request, response) => {
      const asked = addressOf(request);
      const type = asked.searchParams.get('type') ?? '';
      if (isOfVisit(asked)) seen.set(type, (seen.get(type) ?? 0) + 1);
      for (const look of looks) look();
      response.writeHead(204).end();
    },
    '/news': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      if (isReady) response.write(READY);
      listeners.push(response);
    },
  });
  return {
    ...origin,
    bought: () => bought,
    hold: () => void (isHeld = true),
    release,
    sees: (type, count = 1) =>
      new Promise((resolve) => {
        const look = () => {
          if ((seen.get(type) ?? 0) < count) return;
          looks = looks.filter((other) => other !== look);
          resolve();
        };
        looks.push(look);
        look();
      }),
    announce: () => {
      isReady = true;
      for (const listener of listeners) listener.write(READY);
    },
    opened: () => {
      release();
      isReady = false;
      [visit, bought, seen, listeners] = [visit + 1, 0, new Map(), []];
      return `${origin.url}/shop?visit=${visit}`;
    },
  };
}

const READY = 'data: ready\n\n';

function addressOf({ url = '/' }: IncomingMessage): URL {
  return new URL(url, 'http://shop');
}

const TYPES = [
  'pointerdown mousedown pointerup mouseup pointermove click dblclick contextmenu wheel',
  'keydown keypress keyup beforeinput input change dragstart dragover drop',
].join(' ');

const FIELDS = Array.from({ length: 30 }, (_, at) => `<label>Field ${at + 1} <input id="field-${at + 1}"></label>`);

const SHOP = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title></head><body>
<h1>Shop</h1>
<button id="buy">Buy</button> <button id="slow">Slow</button> <p id="news"></p>
<textarea id="essay" aria-label="Essay" rows="4"></textarea>
<div id="map" role="application" aria-label="Map" tabindex="0" style="width:300px;height:120px;background:#cde">Map</div>
<div style="display:flex;gap:300px">
  <div id="slider" role="button" aria-label="Slider" style="width:80px;height:40px;background:#fc9">Slider</div>
  <div id="end" role="button" aria-label="End" style="width:80px;height:40px;background:#9cf">End</div></div>
<div style="display:flex;gap:300px">
  <div id="parcel" role="button" aria-label="Parcel" draggable="true" style="width:80px;height:40px;background:#cf9">Parcel</div>
  <div id="shelf" role="button" aria-label="Shelf" style="width:80px;height:40px;background:#ccc">Shelf</div></div>
<form>${FIELDS.join(' ')}</form>
<script>
  const seen = (window.seen = []);
  for (const type of '${TYPES}'.split(' ')) {
    addEventListener(type, (event) => {
      if (!event.isTrusted) return;
      const on = event.target.id || event.target.localName || 'document';
      seen.push({ type, at: Date.now(), on, buttons: event.buttons || 0 });
      navigator.sendBeacon('/seen' + location.search + '&type=' + type);
    }, true);
  }
  const ask = (path) => {
    const request = new XMLHttpRequest();
    request.open('GET', path, false);
    request.send();
  };
  document.getElementById('buy').onclick = () => fetch('/buy' + location.search, { method: 'POST' });
  document.getElementById('slow').onpointermove = () => ask('/hold');
  document.getElementById('map').addEventListener('wheel', (event) => event.preventDefault(), { passive: false });
  document.getElementById('shelf').ondragover = (event) => event.preventDefault();
  new EventSource('/news').onmessage = () => (document.getElementById('news').textContent = 'Ready');
</script></body></html>`;
