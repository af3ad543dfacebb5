import type { IncomingMessage } from 'node:http';
import * as pages from './browser-pages.ts';
import { send, startOrigin } from './origin.ts';
import type { Origin } from './origin.ts';

/** A harbour's web site that needs a browser. It records what visitors do on it. */
export type BrowserSite = Origin & {
  /** The same server under another host name, which browsers treat as another site. */
  otherUrl: string;
  otherHost: string;
  /** Events that pages reported, in order. */
  told: { what: string; detail?: string }[];
  /** Submitted bookings, as form fields. */
  bookings: Record<string, string>[];
};

const ORDERS = [
  { id: 17, what: 'two coils of rope' },
  { id: 18, what: 'a brass bell' },
];
const FEED_LENGTH = 100;
const FEED_PAGE = 20;
/** Only the browser knows the value of this cookie. */
const COOKIE = 'harbour';

export async function startBrowserSite(port?: number): Promise<BrowserSite> {
  const told: BrowserSite['told'] = [];
  const bookings: BrowserSite['bookings'] = [];
  const signedIn = new Map<string, string>();
  const json =
    (value: unknown, delayMs: number) => (_: IncomingMessage, response: Parameters<ReturnType<typeof send>>[1]) => {
      setTimeout(
        () => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value)),
        delayMs,
      );
    };
  let otherUrl = '';
  const origin = await startOrigin(
    {
      '/': send(
        pages.page(
          'Harbour',
          '<p>Welcome to the harbour.</p><a href="/booking">Book a berth</a> <a href="/rows">Register</a>',
        ),
      ),
      '/booking': (request, response) => {
        if (request.method !== 'POST') return send(pages.BOOKING)(request, response);
        return void bodyOf(request).then((body) => {
          bookings.push(Object.fromEntries(new URLSearchParams(body)));
          send(pages.page('Booked', `<p>Booking ${bookings.length} is confirmed.</p>`))(request, response);
        });
      },
      '/app': send(pages.APP),
      '/app/orders': send(pages.APP),
      '/app/orders/17': send(pages.APP),
      '/app/orders/18': send(pages.APP),
      '/api/orders': json(ORDERS, 300),
      '/feed': send(pages.FEED),
      '/api/feed': (request, response) => {
        const from = Number(new URL(request.url ?? '/', 'http://site').searchParams.get('from'));
        const items = Array.from({ length: FEED_PAGE }, (_, n) => `Message ${from + n + 1} of the watch`);
        json({ items, next: from + FEED_PAGE < FEED_LENGTH ? from + FEED_PAGE : null }, 50)(request, response);
      },
      '/rows': send(pages.ROWS),
      '/modal': send(pages.MODAL),
      '/frames': (request, response) => send(pages.frames(otherUrl))(request, response),
      '/chart': send(pages.CHART),
      '/shadow': send(pages.SHADOW),
      '/dialogs': send(pages.DIALOGS),
      '/windows': send(pages.WINDOWS),
      '/slow': send(pages.SLOW),
      '/api/slow': json({ tide: 'rising' }, 1_200),
      '/never': () => undefined,
      '/noise': send(pages.NOISE),
      '/tall': send(pages.TALL),
      '/wide': send(pages.WIDE),
      '/notes': send(pages.NOTES),
      '/complaints': send(pages.COMPLAINTS),
      '/login': (request, response) => {
        if (request.method !== 'POST') return send(pages.SIGN_IN)(request, response);
        return void bodyOf(request).then((body) => {
          const form = new URLSearchParams(body);
          if (form.get('password') !== 'ebb and flow') return send(pages.SIGN_IN, {}, 403)(request, response);
          const key = crypto.randomUUID();
          signedIn.set(key, form.get('name') ?? '');
          response
            .writeHead(303, { location: '/account', 'set-cookie': `${COOKIE}=${key}; HttpOnly; Path=/; SameSite=Lax` })
            .end();
        });
      },
      '/account': (request, response) =>
        send(pages.account(signedIn.get(cookieOf(request, COOKIE) ?? '') ?? null))(request, response),
      '/who': (request, response) => send(pages.whoAmI(cookieOf(request, 'guest')))(request, response),
      '/api/told': (request, response) => {
        void bodyOf(request).then((body) => {
          told.push(JSON.parse(body) as BrowserSite['told'][number]);
          response.writeHead(204).end();
        });
      },
    },
    undefined,
    port,
  );
  const otherHost = `localhost:${new URL(origin.url).port}`;
  otherUrl = `http://${otherHost}`;
  return { ...origin, otherUrl, otherHost, told, bookings };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function cookieOf(request: IncomingMessage, name: string): string | undefined {
  return new RegExp(`(?:^|; )${name}=([^;]*)`).exec(request.headers.cookie ?? '')?.[1];
}
