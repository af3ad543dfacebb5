import { gunzipSync } from 'node:zlib';
import { readFileSync, readdirSync } from 'node:fs';
import { extract } from '#extract/extract.ts';
import { toPlain } from '#core/plain.ts';
import { parsePage } from '#extract/html/parse-page.ts';
import { buildTree } from '#extract/html/tree-builder.ts';
const dir = '/work/shared/bench/pages';
const files = readdirSync(dir).filter((_, i) => i % 4 === 0);
const pages = files.map((f) => gunzipSync(readFileSync(dir + '/' + f)).toString('utf8'));
const cpu = async (f: () => unknown) => { const b = process.threadCpuUsage(); await f(); const u = process.threadCpuUsage(b); return (u.user + u.system) / 1000; };
let t = { all: 0, plain: 0, build: 0, parse: 0 };
for (let round = 0; round < 3; round++) {
  t = { all: 0, plain: 0, build: 0, parse: 0 };
  for (const html of pages) {
    if (!process.argv.includes('parse')) t.all += await cpu(() => extract({ kind: 'html', text: html, bytes: new Uint8Array(), url: 'https://docs.example/a', mode: 'readable' }));
    let plain = ''; t.plain += await cpu(() => { plain = toPlain(html); });
    t.build += await cpu(() => { buildTree({ html: plain, xml: false, scripting: true }); });
    t.parse += await cpu(() => { parsePage(plain, false); });
  }
  console.log(pages.length, Object.fromEntries(Object.entries(t).map(([k, v]) => [k, (v / pages.length).toFixed(2)])));
}
