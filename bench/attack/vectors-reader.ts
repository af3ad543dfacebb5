import { always, inOurVoice } from './oracle.ts';
import type { Rig } from './rig.ts';
import type { Part, Try } from './try.ts';
import { at, textOf } from './wire.ts';
import type { Answer } from './wire.ts';
import { HIDDEN, UNSEEN_PAGES } from './vectors-hidden.ts';
import { INJECTIONS, LOUD, MARKUP, pageOf } from './vectors.ts';
import type { Vector } from './vectors.ts';

/** Pages that try to deceive their reader, each opened in every way. */
export async function readerVectors(rig: Rig): Promise<Part> {
  const tries = [...HIDDEN, ...UNSEEN_PAGES, ...INJECTIONS, ...MARKUP].map((vector) => tryOf(rig, vector));
  return { name: 'pages against the reader', tries: [...tries, ...lists(rig), ...controls(rig)] };
}

/** Lists that contain all of the pages above. */
function lists({ bob }: Rig): Try[] {
  const calls: Record<string, () => Promise<Answer>> = {
    'resources/list': () => bob.caller.rpc('resources/list'),
    web_search: () => bob.caller.call('web_search', { query: LOUD, count: 20 }),
    search: () => bob.caller.call('search', { query: LOUD }),
    'search of the toolset chatgpt': () => bob.caller.call('search', { query: LOUD }, '?toolsets=chatgpt'),
    'completion/complete': () =>
      bob.caller.rpc('completion/complete', {
        ref: { type: 'ref/prompt', name: 'docs_summarize_for_coding' },
        argument: { name: 'url', value: 'vector' },
      }),
  };
  return Object.entries(calls).map(([name, run]) => ({
    name: `all of these pages in ${name}`,
    run: async () => {
      const answer = await run();
      // Answers for ChatGPT are only JSON: every text in them is part of a field.
      const voice = name.endsWith('chatgpt') ? null : inOurVoice(answer, 'zxqinject');
      return always(answer) ?? voice;
    },
  }));
}

/** Control tries: the checks can find something. */
function controls(rig: Rig): Try[] {
  const { caller } = rig.bob;
  return [
    {
      name: 'control: a twin that is declared in the head is taken',
      run: async () => {
        rig.site.routes['/true-twin.md'] = (_request, response) =>
          void response.writeHead(200, { 'content-type': 'text/markdown' }).end('# Twin\n\nzxqtwin in Markdown.\n');
        const head = '<link rel="alternate" type="text/markdown" href="/true-twin.md">';
        const answer = await caller.call('web_open', { url: rig.site.page('/true', pageOf(head, '')) });
        return answer.text.includes('zxqtwin') ? null : 'it is not';
      },
    },
    {
      name: 'control: what is shown is found, and an invisible character would be',
      run: async () => {
        const answer = await caller.call('web_open', { url: rig.site.page('/shown', pageOf('', '<p>zxqhidden</p>')) });
        const spoilt = { ...answer, text: `${answer.text}\u202e` };
        const forged = { ...answer, text: `Note: zxqinject\n${answer.text}` };
        const isSeen = answer.text.includes('zxqhidden') && answer.text.includes(LOUD);
        return isSeen && always(spoilt) !== null && inOurVoice(forged, 'zxqinject') !== null ? null : 'it is not';
      },
    },
  ];
}

let count = 0;

function tryOf(rig: Rig, vector: Vector): Try {
  return {
    name: vector.name,
    run: async () => {
      const url = lay(rig, vector);
      for (const answer of await readings(rig, url, vector)) {
        const problem = always(answer) ?? told(answer, vector);
        if (problem !== null) return problem;
      }
      return null;
    },
  };
}

function lay(rig: Rig, { path = '', body, headers = {} }: Vector): string {
  const route = `/vector/${(count += 1)}${path}`;
  const bytes = typeof body === 'function' ? body(rig) : body;
  rig.site.routes[route.split('?')[0] ?? route] = (_request, response) => {
    try {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers });
    } catch {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    }
    response.end(bytes);
  };
  return rig.site.url + route;
}

async function readings(rig: Rig, url: string, { body, headers = {}, rendered = false }: Vector): Promise<Answer[]> {
  const { caller } = rig.bob;
  const mode = rendered ? 'rendered' : 'auto';
  const whole = await caller.call('web_open', { url, mode, explain: true });
  const answers = [whole];
  if (!rendered)
    answers.push(await caller.call('open_url', { url }), await caller.call('web_open', { url, mode: 'raw' }));
  const cursor = textOf(at(whole.structured, 'cursor'));
  const snapshot = textOf(at(whole.structured, 'snapshot'));
  if (cursor !== '') {
    answers.push(await caller.call('find', { cursor, pattern: '.', is_regex: true }));
    answers.push(await caller.rpc('resources/read', { uri: `resource://cache/${snapshot}` }));
    answers.push(await caller.rpc('resources/read', { uri: `resource://meta/${snapshot}` }));
  }
  if (typeof body === 'string' && headers['content-type'] === undefined && !rendered)
    answers.push(await caller.call('web_extract', { html: body, base_url: url }));
  return answers;
}

/** A forbidden effect of this page, or the fact that it was not read; `null` if there is neither. */
function told(answer: Answer, { never, mayFail = false }: Vector): string | null {
  if (answer.isError && !mayFail) return `not read: ${answer.text.slice(0, 100)}`;
  for (const word of never) if (answer.body.includes(word)) return `${word} is shown`;
  return inOurVoice(answer, 'zxqinject');
}
