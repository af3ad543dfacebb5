import type { Rig } from './rig.ts';

export type Way = {
  name: string;
  /** Puts a page that leads to `target` on the site. @returns the address to open, or the tool to call instead */
  lay: (target: string, rig: Rig) => string | { tool: string; args: Record<string, unknown> };
  /** True if the attack needs a browser. */
  live?: boolean;
  click?: string;
};

let count = 0;
export const fresh = () => `/way/${(count += 1)}`;

export function html(head: string, body = ''): (target: string, rig: Rig) => string {
  return (target, rig) =>
    rig.site.page(
      fresh(),
      `<!doctype html><html><head><title>Way</title>${head.replaceAll('TARGET', target)}</head><body><main>${PROSE}${body.replaceAll('TARGET', target)}</main></body></html>`,
    );
}

export function serve(
  rig: Rig,
  path: string,
  body: string | Uint8Array,
  headers: Record<string, string>,
  status = 200,
): string {
  rig.site.routes[path] = (_request, response) => void response.writeHead(status, headers).end(body);
  return rig.site.url + path;
}

export function redirect(status: number, to: (target: string) => string) {
  return (target: string, rig: Rig) => serve(rig, fresh(), '', { location: to(target) }, status);
}

export function file(extension: string, type: string, body: (target: string) => string | Uint8Array) {
  return (target: string, rig: Rig) => serve(rig, `${fresh()}.${extension}`, body(target), { 'content-type': type });
}

export const PROSE =
  '<p>A page like any other, with a sentence or two that somebody might want to read, and no more.</p>';
