import { send, startOrigin } from './origin.ts';
import type { Origin } from './origin.ts';

/** A site for real input. Elements have known places, and a page's title names the events that it received. */
export type HandsSite = Origin & {
  /** The same server under another site. */
  otherHost: string;
};

const STYLE = `<style>body { margin: 0 } body > * { position: absolute; left: 100px; font: 20px monospace; margin: 0 }
select, textarea, button { width: 300px; height: 40px } iframe { border: 0; width: 400px; height: 100px }</style>`;
const SAYS = `<script>const felt = []; const feel = (what) => { felt.push(what); document.title = felt.join(' ').slice(-500); };
const name = new URLSearchParams(location.search).get('as') ?? 'own';</script>`;
const page = (body: string) => `<!doctype html><title>nothing yet</title>${STYLE}${SAYS}${body}`;

/** Choosing an option reports it to the top page, whatever site this frame is from. */
const LIST = `<select style="top:20px;left:20px"><option>Oslo<option>Turin<option>Split</select>
<script>document.querySelector('select').addEventListener('change', (event) => top.postMessage(name + ':' + event.target.value, '*'));</script>`;
const HEARS = `<script>addEventListener('message', ({ data }) => feel(data));</script>`;

const WRITE = `<textarea style="top:100px"></textarea><script>
const area = document.querySelector('textarea');
for (const kind of ['compositionstart', 'compositionend']) area.addEventListener(kind, ({ data }) => feel(kind + '=' + data));
area.addEventListener('input', () => feel('value=' + area.value));</script>`;

const TOUCH = `<button style="top:100px">Press</button><p style="top:3000px">the end</p><script>
const button = document.querySelector('button');
for (const kind of ['touchstart', 'touchend', 'click', 'contextmenu']) button.addEventListener(kind, () => feel(kind));
addEventListener('scroll', () => feel('scrolled'), { once: true });</script>`;

export async function startHandsSite(port?: number): Promise<HandsSite> {
  let other = '';
  const origin = await startOrigin(
    {
      '/list': send(page(LIST)),
      '/lists': (request, response) => {
        const frames = `<iframe style="top:0" src="/list?as=near"></iframe>
        <iframe style="top:200px" src="http://${other}/nest?as=far"></iframe>`;
        send(
          page(`${frames}${HEARS}<select style="top:500px"><option>Bonn<option>Lyon</select><script>
        document.querySelector('select').addEventListener('change', (event) => feel('own:' + event.target.value));</script>`),
        )(request, response);
      },
      '/nest': send(page(`<iframe style="top:0;left:0" src="/list?as=far"></iframe>`)),
      '/write': send(page(WRITE)),
      '/touch': send(page(TOUCH)),
    },
    undefined,
    port,
  );
  other = origin.host.replace('127.0.0.1', 'localhost');
  return { ...origin, otherHost: other };
}
