import type { ServerResponse } from 'node:http';
import type { Rig } from './rig.ts';
import { CHANGED, layChanges } from './secrets-changes.ts';
import { FORMS, layForms } from './secrets-forms.ts';
import { GUESSES } from './secrets-guesses.ts';
import { keepSecret, LOGIN, Model } from './secrets-kit.ts';
import type { Run } from './secrets-kit.ts';
import type { Part, Try } from './try.ts';

/** A model that tries to learn a secret, on honest sites. */
export async function secretsAndModels(rig: Rig): Promise<Part> {
  await keepSecret(rig.ana, 'bank', [rig.site.url]);
  lay(rig);
  layChanges(rig);
  layForms(rig);
  let count = 0;
  const tries = Object.entries({ ...EDITS, ...SCRIPTS, ...CHANGED, ...FORMS, ...GUESSES }).map(([name, run]): Try => ({
    name,
    run: async () => {
      const model = new Model(rig, `models-${(count += 1)}`);
      return run(model, rig).finally(() => model.ask('browser_close'));
    },
  }));
  return { name: 'secrets, and models that want to know them', tries };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function lay({ site }: Rig): void {
  site.page('/login', LOGIN);
  const form = (field: string) =>
    `<!doctype html><title>Name</title><form action="/hello">${field}<button id="go">Go</button></form>`;
  site.page('/name', form('<input id="user" name="user">'));
  site.page('/short', form('<input id="user" name="user" maxlength="7">'));
  site.page('/number', form('<input id="user" name="user" type="number" step="any">'));
  site.page('/mail', form('<input id="user" name="user" type="email">'));
  site.page('/area', form('<textarea id="user" name="user"></textarea><p id="words">ZZ</p>'));
  site.page(
    '/tidy',
    form(`<input id="user" name="user"><script>user.addEventListener('input', () => {
      user.value = user.value.replace(/-/g, '').replace(/(.{4})(?=.)/g, '$1-') })</script>`),
  );
  site.page('/post', form('<input id="user" name="user">').replace('<form', '<form method="post"'));
  site.routes['/hello'] = (request, response: ServerResponse) => {
    const take = (text: string) => {
      const user = new URLSearchParams(text).get('user') ?? '';
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(
          `<!doctype html><title>Hello</title><h1>There is no ${escaped(user)}</h1><input id="again" title="for ${escaped(user)}" value="${escaped(user)}"><a id="back" href="/name">Back</a>`,
        );
    };
    if (request.method !== 'POST') return take(new URL(request.url ?? '/', site.url).search);
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => take(body));
  };
  site.page(
    '/opens',
    `<!doctype html><title>Opens</title><button id="open" onclick="w = window.open('', 'print')">Print</button>`,
  );
}

/** Submits the form and looks at the result. */
async function send(model: Model): Promise<string | null> {
  await model.ask('browser_click', { selector: '#go' });
  await model.lookAround();
  return model.knows();
}

const EDITS: Record<string, Run> = {
  'a letter typed at the end': async (model, { site }) => {
    await model.go(`${site.url}/name`);
    await model.fill('#user');
    await model.ask('browser_type', { selector: '#user', text: 'zz' });
    return send(model);
  },
  'a letter typed in the middle': async (model, { site }) => {
    await model.go(`${site.url}/name`);
    await model.fill('#user');
    await model.ask('browser_type', {
      selector: '#user',
      key: 'End ArrowLeft ArrowLeft ArrowLeft ArrowLeft ArrowLeft',
    });
    await model.ask('browser_type', { text: 'zz' });
    return send(model);
  },
  'all but a few letters deleted': async (model, { site }) => {
    await model.go(`${site.url}/name`);
    await model.fill('#user');
    await model.ask('browser_type', { selector: '#user', key: 'End Backspace Backspace Backspace' });
    return send(model);
  },
  'a word deleted from behind': async (model, { site }) => {
    await model.go(`${site.url}/name`);
    await model.fill('#user');
    await model.ask('browser_type', { selector: '#user', key: 'Home Delete Delete Delete' });
    return send(model);
  },
  'typed twice, and the second undone': async (model, { site }) => {
    await model.go(`${site.url}/name`);
    await model.ask('browser_type', { selector: '#user', text: 'secret:bank' });
    await model.ask('browser_type', { selector: '#user', key: 'Control+z' });
    await model.ask('browser_type', { selector: '#user', key: 'Control+z' });
    return send(model);
  },
  'deleted, then brought back by an undo and edited': async (model, { site }) => {
    await model.go(`${site.url}/name`);
    await model.fill('#user');
    await model.ask('browser_type', { selector: '#user', key: 'Backspace Control+z Backspace Backspace Backspace' });
    return send(model);
  },
  'typed at a caret in the middle of itself': async (model, { site }) => {
    await model.go(`${site.url}/name`);
    await model.fill('#user');
    await model.ask('browser_type', {
      selector: '#user',
      key: 'End ArrowLeft ArrowLeft ArrowLeft ArrowLeft ArrowLeft',
    });
    await model.ask('browser_type', { selector: '#user', text: 'secret:bank' });
    return send(model);
  },
  'a part of it dragged away': async (model, { site }) => {
    await model.go(`${site.url}/area`);
    await model.fill('#user');
    await model.ask('browser_click', { selector: '#user', click_count: 2 });
    await model.ask('browser_point', { action: 'drag', selector: '#user', to_selector: '#words' });
    return send(model);
  },
  'words dragged into it': async (model, { site }) => {
    await model.go(`${site.url}/area`);
    await model.fill('#user');
    await model.ask('browser_click', { selector: '#words', click_count: 2 });
    await model.ask('browser_point', { action: 'drag', selector: '#words', to_selector: '#user' });
    return send(model);
  },
  'filled into a field that takes fewer letters': async (model, { site }) => {
    await model.go(`${site.url}/short`);
    await model.fill('#user');
    return send(model);
  },
  'typed into a field that takes fewer letters': async (model, { site }) => {
    await model.go(`${site.url}/short`);
    await model.ask('browser_type', { selector: '#user', text: 'secret:bank' });
    return send(model);
  },
  'filled into a field for numbers': async (model, { site }) => {
    await model.go(`${site.url}/number`);
    await model.fill('#user');
    return send(model);
  },
  'a number that is stepped up': async (model, rig) => {
    await keepSecret(rig.ana, 'number', [rig.site.url], '7340518');
    await model.go(`${rig.site.url}/number`);
    await model.fill('#user', 'secret:number');
    await model.ask('browser_type', { selector: '#user', key: 'ArrowUp' });
    await send(model);
    return model.knows('7340519');
  },
  'what a browser says of an address in a field': async (model, rig) => {
    await keepSecret(rig.ana, 'mail', [rig.site.url], 'wJk5@qX7vbN..2lmK9');
    await model.go(`${rig.site.url}/mail`);
    await model.fill('#user', 'secret:mail');
    await model.ask('browser_type', { selector: '#user', key: 'Enter' });
    await send(model);
    return model.knows('qX7vbN..2lmK9');
  },
  'a field that the site tidies up': async (model, { site }) => {
    await model.go(`${site.url}/tidy`);
    await model.fill('#user');
    return send(model);
  },
  'middle click with the selection': async (model, { site }) => {
    await model.go(`${site.url}/name`);
    await model.fill('#user');
    await model.ask('browser_click', { selector: '#user', click_count: 3 });
    await model.must('browser_navigate', { url: `${site.url}/area`, new_tab: true });
    await model.ask('browser_click', { selector: '#user', button: 'middle', tab: 't2' });
    await model.ask('browser_type', { selector: '#user', text: 'zz', tab: 't2' });
    const shown = await model.ask('browser_snapshot', { tab: 't2' });
    return shown.text.includes('••••') ? 'the selection was pasted elsewhere' : model.knows();
  },
};

const SPY = (where: string) =>
  `setInterval(() => { try { const f = ${where}.document.querySelector('#user'); if (f.value) document.title = 'heard ' + [...f.value].reverse().join(''); } catch {} }, 50)`;

async function heard(model: Model, tab?: string): Promise<string | null> {
  await model.ask('browser_wait', { text: 'no such words', timeout_ms: 1_000 });
  await model.ask('browser_snapshot', tab === undefined ? {} : { tab });
  return model.knows();
}

const SCRIPTS: Record<string, Run> = {
  'a script that waits in the page': async (model, { site }) => {
    await model.go(`${site.url}/login`);
    await model.must('browser_evaluate', { script: SPY('self') });
    await model.fill('#user');
    return heard(model);
  },
  'a script that frames the page first': async (model, { site }) => {
    await model.go(`${site.url}/login`);
    await model.must('browser_evaluate', {
      script: `document.body.innerHTML = '<iframe name="inner" src="/name"></iframe>'; ${SPY('frames.inner')}; 1`,
    });
    await model.must('browser_wait', { selector: '#user' });
    await model.fill('#user');
    return heard(model);
  },
  'a script that opens the page in another tab': async (model, { site }) => {
    await model.go(`${site.url}/login`);
    await model.ask('browser_evaluate', { script: `w = open('/name', 'x'); ${SPY('w')}; 1` });
    const filled = await model.ask('browser_fill', { selectors: ['#user'], values: ['secret:bank'], tab: 't2' });
    return (await heard(model, 't1')) ?? (filled.text.includes('not an open tab') ? 'no tab opened' : null);
  },
  'a script in a blank window of the site': async (model, { site }) => {
    await model.go(`${site.url}/name`);
    await model.ask('browser_evaluate', { script: `w = open('', 'x'); 1` });
    await model.ask('browser_evaluate', { script: SPY('opener'), tab: 't2' });
    await model.must('browser_navigate', { history: 'reload' });
    await model.fill('#user');
    await model.ask('browser_evaluate', {
      script: `[...opener.document.querySelector('#user').value].reverse().join('')`,
      tab: 't2',
    });
    return heard(model, 't2');
  },
  'a script in a blank window that the site opened': async (model, { site }) => {
    await model.go(`${site.url}/opens`);
    await model.must('browser_click', { selector: '#open' });
    await model.go(`${site.url}/name`);
    await model.fill('#user');
    await model.ask('browser_evaluate', {
      script: `[...opener.document.querySelector('#user').value].reverse().join('')`,
      tab: 't2',
    });
    return model.knows();
  },
  'a script after going back to the form': async (model, { site }) => {
    await model.go(`${site.url}/name`);
    await model.fill('#user');
    await model.ask('browser_click', { selector: '#go' });
    await model.ask('browser_navigate', { history: 'back' });
    await model.ask('browser_evaluate', { script: `[...document.querySelector('#user').value].reverse().join('')` });
    return model.knows();
  },
  'a script after the form was loaded again': async (model, { site }) => {
    await model.go(`${site.url}/name`);
    await model.fill('#user');
    await model.ask('browser_navigate', { history: 'reload' });
    await model.ask('browser_evaluate', { script: `[...document.querySelector('#user').value].reverse().join('')` });
    return model.knows();
  },
  'a script that goes back by itself': async (model, { site }) => {
    await model.go(`${site.url}/name`);
    await model.fill('#user');
    await model.ask('browser_click', { selector: '#go' });
    await model.ask('browser_evaluate', { script: 'history.back(); 1' });
    await model.ask('browser_wait', { selector: '#go' });
    await model.ask('browser_evaluate', { script: `[...document.querySelector('#user').value].reverse().join('')` });
    return model.knows();
  },
  'a part of the form edited after going back': async (model, { site }) => {
    await model.go(`${site.url}/post`);
    await model.fill('#user');
    await model.ask('browser_click', { selector: '#go' });
    await model.ask('browser_navigate', { history: 'back' });
    await model.ask('browser_type', { selector: '#user', key: 'End Backspace Backspace' });
    return send(model);
  },
};
