import { describe, expect, it } from 'vitest';
import { CHALLENGE_SCAN_CHARS_MAX } from '#net/limits.ts';
import { detectChallenge, scanForChallenge } from '#net/types/challenge.ts';
import { loadPage } from '#net/fetch/load.ts';
import { failureOf, page, redirect, world } from '../../support/net-world.ts';

const PAGE = 'https://site.com/report';

function detect(
  html: string | null,
  more: { status?: number; headers?: Record<string, string>; from?: string; to?: string } = {},
) {
  return detectChallenge({
    status: more.status ?? 200,
    headers: new Headers(more.headers),
    canonicalUrl: more.from ?? PAGE,
    finalUrl: more.to ?? more.from ?? PAGE,
    html,
  });
}

const prose = (sentences: number) =>
  '<p>Otters keep their favourite stones in a pouch of loose skin.</p>'.repeat(sentences);

describe('bot checks', () => {
  it('are recognised by a header alone, whatever the body', () => {
    expect(detect(null, { status: 403, headers: { 'cf-mitigated': 'challenge' } })).toBe('bot_wall');
    expect(detect(null, { status: 202, headers: { 'x-amzn-waf-action': 'challenge' } })).toBe('bot_wall');
    expect(detect(null, { status: 429, headers: { 'x-vercel-mitigated': 'challenge' } })).toBe('bot_wall');
  });

  it.each([
    [
      'Cloudflare',
      '<title>Just a moment...</title><body><noscript>Enable JavaScript and cookies to continue</noscript><script>window._cf_chl_opt={cType:"managed"};var a=document.createElement("script");a.src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"</script>',
    ],
    [
      'Cloudflare, in another language',
      '<title>Nur einen Moment…</title><div id="challenge-error-text">Bitte warten</div><script>x()</script>',
    ],
    [
      'DataDome',
      '<title>site.com</title><p>Please enable JS and disable any ad blocker</p><script>var dd={"rt":"c","host":"geo.captcha-delivery.com"}</script><script src="https://ct.captcha-delivery.com/c.js"></script>',
    ],
    [
      'HUMAN',
      '<title>Access to this page has been denied</title><div id="px-captcha"></div><script>window._pxAppId="PX1"</script>',
    ],
    ['Akamai', '<div id="sec-if-cpt-container"></div><script src="/_sec/cp_challenge/ak-challenge-4-3.htm"></script>'],
    [
      'Imperva',
      '<body><iframe id="main-iframe" src="/_Incapsula_Resource?SWUDNSAI=31&xinfo=1&incident_id=7">Request unsuccessful.</iframe>',
    ],
    [
      'AWS WAF',
      '<script>window.gokuProps={"key":"a"}</script><script src="https://x.token.awswaf.com/x/challenge.js"></script><noscript>JavaScript is disabled</noscript>',
    ],
    [
      'Anubis',
      '<title>Making sure you&#39;re not a bot!</title><script id="anubis_challenge" type="application/json">{}</script>',
    ],
    ['Sucuri', '<script>var s={},u,sucuri_cloudproxy_js="";</script>'],
    ['DDoS-Guard', '<title>DDoS-Guard</title><script src="/.well-known/ddos-guard/js-challenge/index.js"></script>'],
    ['Vercel', '<title>Vercel Security Checkpoint</title><p>We are verifying your browser</p><script>1</script>'],
    ['a shop', '<title>Robot Check</title><form action="/errors/validateCaptcha"><img src="c.jpg"></form>'],
    [
      'a reCAPTCHA page',
      '<title>Search</title><form method="post"><div class="g-recaptcha" data-sitekey="k"></div></form><p>Our systems have detected unusual traffic from your computer network.</p>',
    ],
    ['an hCaptcha page', '<h1>One more step</h1><p>Please verify you are human.</p><div class="h-captcha"></div>'],
    ['a Turnstile page', '<p>Confirm you’re not a robot to go on.</p><div class="cf-turnstile"></div>'],
  ])('of %s are recognised with status 200 and 403', (_, html) => {
    expect(detect(html)).toBe('bot_wall');
    expect(detect(html, { status: 403 })).toBe('bot_wall');
  });

  it('are recognised by their words when the status is an error', () => {
    const refused =
      '<title>Access Denied</title><h1>Access Denied</h1>You cannot see this. Reference #18.2d351ab8.1557333295.a4e16ab';
    expect(detect(refused, { status: 403 })).toBe('bot_wall');
    expect(detect(refused)).toBe(null);
    expect(detect('<h1>Checking your browser before accessing site.com</h1>', { status: 503 })).toBe('bot_wall');
    expect(detect('<h1>Forbidden</h1><p>You may not read this.</p>', { status: 403 })).toBe(null);
    expect(detect('<h1>Down for maintenance</h1>', { status: 503 })).toBe(null);
  });
});

describe('a page that is not a bot check', () => {
  it.each([
    [
      'an article about captchas',
      `<title>How a captcha works</title><h1>Are you human?</h1><p>A page says “Just a moment...” and asks you to verify you are human. The widget is <code>&lt;div class="h-captcha"&gt;</code>.</p>${prose(40)}`,
    ],
    [
      'a short note about captchas',
      '<title>Captchas</title><p>Sites ask visitors to verify you are human. Cloudflare sets _cf_chl_opt and calls /cdn-cgi/challenge-platform/h/b/orchestrate.</p>',
    ],
    [
      'a page that Cloudflare put its sensor into',
      '<title>Hi</title><p>Hello.</p><script>(function(){var a=document.createElement("script");a.src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"})()</script>',
    ],
    [
      'a page with DataDome tags',
      '<title>Shop</title><p>Boots, 20 euros.</p><script src="https://js.datadome.co/tags.js"></script>',
    ],
    [
      'a page with the Imperva sensor',
      '<title>Bank</title><p>Rates.</p><script src="/_Incapsula_Resource?SWJIYLWA=719d34d31c8e3a6e6fffd425f7e032f3"></script>',
    ],
    [
      'a contact form with reCAPTCHA',
      '<title>Contact</title><form><input type="email" name="e"><textarea name="t"></textarea><div class="g-recaptcha"></div><p>Confirm that you are not a robot.</p></form>',
    ],
    ['a script shell', '<title>App</title><div id="root"></div><script src="/main.js"></script>'],
    ['an article whose title starts like a wall', `<title>Just a moment of peace</title>${prose(3)}`],
  ])('is not reported: %s', (_, html) => {
    expect(detect(html)).toBe(null);
  });

  it('can be any page longer than a bot check', () => {
    const long = `<title>Just a moment...</title><script>window._cf_chl_opt={}</script>${' '.repeat(CHALLENGE_SCAN_CHARS_MAX)}`;
    expect(detect(long)).toBe(null);
  });
});

describe('sign-in pages', () => {
  const form =
    '<form action="/session"><label>Name <input name="u"></label><label>Password <input type=password name="p"></label><button>Sign in</button></form>';

  it('are a 401, a page with little but a password field, or a sign-in URL after a redirect', () => {
    expect(detect(null, { status: 401 })).toBe('login_wall');
    expect(detect(`<title>Sign in</title><h1>Sign in</h1>${form}<p>No account yet? <a href="/join">Join</a></p>`)).toBe(
      'login_wall',
    );
    expect(detect('<h1>Enter your e-mail address</h1>', { to: 'https://site.com/users/sign_in?next=%2Freport' })).toBe(
      'login_wall',
    );
    expect(detect('<p>Loading</p>', { to: 'https://login.site.com/authorize?client_id=1' })).toBe('login_wall');
    expect(detect('', { to: 'https://idp.example.net/saml2/start' })).toBe('login_wall');
  });

  it.each([
    ['a site with a sign-in form in its header', `<header>${form}</header><h1>Otters</h1>${prose(3)}`],
    [
      'a page in a layout table with a sign-in form beside it',
      `<form id="everything">${form}<table><tr><td>${prose(12)}</td></tr></table></form>`,
    ],
    [
      'a script shell with a sign-in dialog kept ready',
      `<title>Forum</title><div id="main"></div><form id="hidden-login-form" style="display: none;"><input type="password"></form>`,
    ],
    ['a forum whose threads are in noscript', `<section></section><noscript>${prose(12)}</noscript>${form}`],
  ])('are distinguished from %s', (_, html) => {
    expect(detect(html)).toBe(null);
  });

  it('are distinguished from pages with a password field in an attribute, a comment or a script', () => {
    const field = '<input type=password>';
    for (const html of [
      `<meta content='> ${field}'><p>A short page.</p>`,
      `<p title="a > ${field}">A short page.</p>`,
      `<!-- > ${field} --><p>A short page.</p>`,
      `<script>"${field}"</script><p>A short page.</p>`,
    ]) {
      expect(detect(html)).toBeNull();
    }
  });

  it('are distinguished from pages about signing in, even after a redirect', () => {
    const article = `<h1>Single sign-on</h1>${prose(10)}`;
    expect(detect(article, { from: 'https://docs.site.com/sso', to: 'https://docs.site.com/en/sso' })).toBe(null);
    expect(detect(article, { to: 'https://docs.site.com/guides/login' })).toBe(null);
    expect(detect('<p>Short.</p>', { from: 'https://site.com/login', to: 'https://site.com/en/login' })).toBe(null);
  });
});

describe('loadPage of a blocked page', () => {
  it('reports the block with URL and status, and without page text', async () => {
    const wall = new Response('<title>Just a moment...</title><script>_cf_chl_opt</script>', {
      status: 503,
      headers: { 'cf-mitigated': 'challenge', 'content-type': 'text/html' },
    });
    const net = world({ [PAGE]: wall });
    expect(await failureOf(loadPage({ requestedUrl: PAGE }, net))).toEqual({
      code: 'challenge_page',
      url: PAGE,
      kind: 'bot_wall',
      statusCode: 503,
    });
    expect(net.slept).toEqual([]);
  });

  it('reports a redirect to a sign-in page', async () => {
    const net = world({
      [PAGE]: redirect('/login?next=/report'),
      'https://site.com/login?next=/report': page('<h1>Log in</h1><form><input type="password"></form>'),
    });
    expect(await failureOf(loadPage({ requestedUrl: PAGE }, net))).toEqual({
      code: 'challenge_page',
      url: 'https://site.com/login?next=/report',
      kind: 'login_wall',
      statusCode: 200,
    });
  });

  it('is not misled by a text that looks like a bot check', async () => {
    const net = world({ [PAGE]: page('Just a moment... _cf_chl_opt', { 'content-type': 'text/plain' }) });
    expect((await loadPage({ requestedUrl: PAGE }, net)).status).toBe(200);
  });
});

describe('scanForChallenge', () => {
  it('handles markup that never closes', () => {
    for (const html of [
      '<',
      '<!--',
      '<script>',
      '<title>x',
      '<a href="',
      '<<<<',
      '<!doctype',
      '</',
      '<p',
      '<form><nav><header>text',
    ]) {
      expect(scanForChallenge(html)).not.toBe(null);
    }
  });

  it('counts prose outside links, menus and controls', () => {
    const outline = scanForChallenge(
      '<nav>Menu</nav><p>One <a>two</a> three</p><label>four</label><a>five<p>six</p><footer>seven</footer>',
    );
    expect(outline?.text).toBe('Menu One two three four five six seven');
    expect(outline?.proseChars).toBe('Onethreesix'.length);
  });
});
