import { newBrowser, PASSPHRASE, signedInElsewhere } from '../attack/rig.ts';
import { findFreePort } from '#scripts/local/port.ts';
import type { Browser } from '#support/oauth-browser.ts';
import { pageOf, textOf } from '#support/oauth-browser.ts';
import { htmlPage, send, startOrigin } from '#support/origin.ts';
import type { Origin } from '#support/origin.ts';
import { startProvider } from '#support/provider-port.ts';
import { startVaultSite } from '#support/vault-site.ts';
import type { VaultSite } from '#support/vault-site.ts';

/** What both versions meet: their sites, the provider of Ana, and the address under which they run. */
export type World = {
  site: Origin;
  vault: VaultSite;
  port: number;
  origin: string;
  settings: Record<string, string>;
  /** Signs Ana in at her provider. */
  ana: () => Promise<Browser>;
  close: () => Promise<void>;
};

export const QUOTE = 'The brass compass of the lightship points to 214 degrees.';
export const REPORT = 'day,visitors\n2026-01-01,17\n';
/** What the site's page keeps in the browser, and in which field a word is typed. */
export const KEPT_IN_BROWSER = ['stays=amber', 'visit=cobalt', 'umber and teal'];
/** How its session is set, and what its page says of that. */
export const SETTINGS = { width: 900, height: 700, color_scheme: 'dark', locale: 'de-DE' };
export const SEEN_SETTINGS = 'shown dark, 900 pixels wide, in de-DE';
export const FIELD = 'Nickname';
export const REASON = 'Please look at the vault.';

const WORDS = Array.from({ length: 60 }, (_, n) => `<p>Entry ${n} of the log tells of wind and fog at sea.</p>`);

export async function startWorld(): Promise<World> {
  const person: Record<string, unknown> = { sub: 'sub-ana', email: 'ana@acme.dev', email_verified: true };
  const site = await startOrigin({
    '/log': send(htmlPage('The log of the lightship', `${WORDS.join('')}<p>${QUOTE}</p>`)),
    '/start': (_request, response) => {
      const cookies = ['stays=amber; Max-Age=86400; HttpOnly; Path=/', 'visit=cobalt; Path=/'];
      response.writeHead(303, { location: '/app', 'set-cookie': cookies }).end();
    },
    '/app': (request, response) => send(appPage(request.headers.cookie ?? 'nothing'))(request, response),
    '/report': send(REPORT, { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="report.csv"' }),
  });
  const vault = await startVaultSite();
  const provider = await startProvider(person);
  const port = await findFreePort();
  const origin = `http://localhost:${port}`;
  return {
    site,
    vault,
    port,
    origin,
    settings: {
      LOCAL_ACCESS_TOKEN: `local_${crypto.randomUUID()}`,
      OWNER_PASSPHRASE: PASSPHRASE,
      ALLOWED_PRIVATE_HOSTS: `${site.host},${vault.host}`,
      ALLOWED_USERS: 'boss@acme.dev, ana@acme.dev',
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.clientId,
      OIDC_CLIENT_SECRET: provider.clientSecret,
      REFRESH_GRACE_SECONDS: '86400',
    },
    ana: () => signedInElsewhere(origin),
    close: async () => {
      await site.close();
      await vault.close();
      provider.close();
    },
  };
}

function appPage(cookies: string): string {
  return `<!doctype html><title>App</title><p>The site was sent ${cookies}</p><p id="stored"></p><p id="shown"></p>
<label>${FIELD} <input name="nickname"></label> <button id="remember">Remember</button> <a href="/report">The report</a>
<script>
stored.textContent = 'The page finds ' + localStorage.draft + ' and ' + sessionStorage.step;
shown.textContent = 'It is shown ' + (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light') + ', ' +
  innerWidth + ' pixels wide, in ' + navigator.language;
remember.onclick = () => { localStorage.draft = 'umber'; sessionStorage.step = 'teal'; };
</script>`;
}

/** A page of the console as a person reads it. */
export async function read(browser: Browser, path: string): Promise<{ html: string; text: string; status: number }> {
  const { html, status } = pageOf(await browser.get(browser.origin + path));
  return { html, text: textOf(html), status };
}

/** A browser with the cookies of another one, as they were. */
export function withCookies(origin: string, cookies: ReadonlyMap<string, string>): Browser {
  const browser = newBrowser(origin);
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  return browser;
}

/** Numbers of the refs in a view. */
export function refsIn(text: string): number[] {
  return [...text.matchAll(/@e(\d+)/g)].map(([, number]) => Number(number));
}
