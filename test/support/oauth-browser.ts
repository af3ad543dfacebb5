/**
 * A user's browser, as far as sign-in needs one. It stores cookies, posts forms with the fields of the page, and
 * follows redirects and pages that continue automatically. It stops when they leave the server, where a client takes
 * over.
 */
export type Shown = { url: string; status: number; headers: Headers; html: string };

/** Either a page, or the address outside the server that the browser was redirected to. */
export type Visit = { page: Shown; left: null } | { page: null; left: URL };

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const HOPS_MAX = 10;

export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #fetch: Fetch;
  readonly origin: string;

  constructor(origin: string, fetch: Fetch) {
    this.origin = origin;
    this.#fetch = fetch;
  }

  get(url: string): Promise<Visit> {
    return this.#go(url, { method: 'GET' });
  }

  /**
   * Submits the form with this action, with its current fields and these changes.
   * @param changes field → value, values for checkboxes, or `null` to leave it out
   */
  submit(page: Shown, action: string, changes: Record<string, string | string[] | null>): Promise<Visit> {
    const fields = formFields(page.html, action);
    const kept = fields.filter(([name]) => !(name in changes));
    const added = Object.entries(changes).flatMap(([name, value]) =>
      value === null ? [] : [value].flat().map((one): [string, string] => [name, one]),
    );
    return this.post(action, [...kept, ...added]);
  }

  post(action: string, fields: [string, string][], headers: Record<string, string> = {}): Promise<Visit> {
    return this.#go(new URL(action, this.origin).href, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: this.origin, ...headers },
      body: new URLSearchParams(fields).toString(),
    });
  }

  upload(action: string, form: FormData | string, headers: Record<string, string> = {}): Promise<Visit> {
    return this.#go(new URL(action, this.origin).href, {
      method: 'POST',
      headers: { origin: this.origin, ...headers },
      body: form,
    });
  }

  async #go(start: string, init: RequestInit): Promise<Visit> {
    let request = init;
    let url = start;
    for (let hops = 0; hops < HOPS_MAX; hops += 1) {
      const response = await this.#fetch(url, {
        ...request,
        redirect: 'manual',
        headers: { ...(request.headers as Record<string, string>), cookie: this.#cookieHeader() },
      });
      this.#keep(response.headers.getSetCookie());
      const html = await response.text();
      const next = response.headers.get('location') ?? refreshOf(html);
      if (next === null) return { page: { url, status: response.status, headers: response.headers, html }, left: null };
      const target = new URL(next, url);
      if (target.origin !== this.origin) return { page: null, left: target };
      url = target.href;
      request = { method: 'GET' };
    }
    throw new Error(`more than ${HOPS_MAX} redirects`);
  }

  #cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #keep(setCookies: string[]): void {
    for (const line of setCookies) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
      const at = pair.indexOf('=');
      if (attributes.some((attribute) => attribute.toLowerCase() === 'max-age=0'))
        this.cookies.delete(pair.slice(0, at));
      else this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
  }
}

/** The page of a visit. @throws if the browser was redirected away */
export function pageOf(visit: Visit): Shown {
  if (visit.page === null) throw new Error(`sent away to ${visit.left.href}`);
  return visit.page;
}

/** The address that a visit was redirected to. @throws with the page's text if there is a page */
export function leftTo(visit: Visit): URL {
  if (visit.left === null) throw new Error(`still here, with ${visit.page.status}: ${textOf(visit.page.html)}`);
  return visit.left;
}

export function textOf(html: string): string {
  return unescape(
    html
      .replace(/<style>.*?<\/style>/su, '')
      .replace(/<[^>]*>/gu, ' ')
      .replace(/\s+/gu, ' '),
  );
}

/** Fields as a browser sends them: only ticked checkboxes, no buttons. */
export function formFields(html: string, action: string): [string, string][] {
  const start = `<form(?=[^>]*method="post")[^>]*action="${action.replaceAll('?', '\\?')}"[^>]*>`;
  const form = new RegExp(`${start}(.*?)</form>`, 'su').exec(html)?.[1];
  if (form === undefined) throw new Error(`no form with action ${action} in: ${textOf(html)}`);
  return [...form.matchAll(/<input([^>]*)>/gu)].flatMap(([, attributes = '']): [string, string][] => {
    const at = (name: string) => unescape(new RegExp(`${name}="([^"]*)"`, 'u').exec(attributes)?.[1] ?? '');
    if (at('type') === 'checkbox' && !/\schecked/u.test(attributes)) return [];
    return [[at('name'), at('value')]];
  });
}

function refreshOf(html: string): string | null {
  const content = /<meta http-equiv="refresh" content="0;url=([^"]*)"/u.exec(html)?.[1];
  return content === undefined ? null : unescape(content);
}

function unescape(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
