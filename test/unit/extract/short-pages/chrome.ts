/** The usual parts of sites around the main part. The body is put at `content`. */
type Chrome = (content: string, title: string) => string;

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>${title} – Heron</title></head><body>${body}</body></html>`;

export const CHROMES: Readonly<Record<string, Chrome>> = {
  landmarks: (content, title) =>
    page(
      title,
      `<header class="site-header"><a class="logo" href="/">Heron</a><nav><ul><li><a href="/shop">Shop</a></li><li><a href="/about">About us</a></li><li><a href="/news">News</a></li></ul></nav></header>
      <main>${content}</main>
      <footer class="site-footer"><ul><li><a href="/imprint">Imprint</a></li><li><a href="/privacy">Privacy policy</a></li></ul><p>© 2026 Heron Group. All rights reserved.</p></footer>`,
    ),
  'named divs': (content, title) =>
    page(
      title,
      `<div id="header"><div class="logo"><a href="/">Heron</a></div><div id="nav"><a href="/shop">Shop</a> <a href="/about">About us</a> <a href="/news">News</a></div></div>
      <div id="content">${content}</div>
      <div id="footer"><a href="/imprint">Imprint</a> | <a href="/privacy">Privacy policy</a><br>© 2026 Heron Group</div>`,
    ),
  'sidebar and breadcrumbs': (content, title) =>
    page(
      title,
      `<header><a href="/">Heron</a><form action="/search"><input name="q" placeholder="Search"><button>Go</button></form></header>
      <nav class="breadcrumb"><a href="/">Home</a> › <a href="/help">Help</a></nav>
      <div class="row"><div class="col-8"><section class="page-content">${content}</section></div>
      <aside class="sidebar"><h3>Latest news</h3><ul><li><a href="/n/1">New crane arrives</a></li><li><a href="/n/2">Regatta in June</a></li><li><a href="/n/3">Summer hours begin</a></li></ul><h3>Newsletter</h3><p>Get our news once a month.</p></aside></div>
      <footer><div class="col"><h4>Company</h4><a href="/jobs">Jobs</a><a href="/press">Press</a></div><div class="col"><h4>Follow us</h4><a href="/x">Mastodon</a></div><small>© 2026 Heron Group</small></footer>`,
    ),
  'bare divs': (content, title) =>
    page(
      title,
      `<div class="css-1x"><div class="css-2y"><a href="/">Heron</a><a href="/shop">Shop</a><a href="/about">About us</a><a href="/login">Sign in</a></div>
      <div class="css-3z"><div class="css-4w">${content}</div></div>
      <div class="css-5v"><div><a href="/imprint">Imprint</a></div><div><a href="/privacy">Privacy policy</a></div><div>© 2026 Heron Group</div></div></div>`,
    ),
  shop: (content, title) =>
    page(
      title,
      `<div class="cookie-banner" role="dialog"><p>We use cookies to make our shop work and to measure how it is used.</p><button>Accept all</button><button>Settings</button></div>
      <div class="usp-bar"><span>Free delivery from €50</span><span>30 days to return</span><span>Call us: 960 100</span></div>
      <header class="header"><a href="/" class="header__logo"><img src="/logo.svg" alt="Heron"></a><form class="search"><input type="search" placeholder="What are you looking for?"></form><a href="/account">My account</a><a href="/basket">Basket (0)</a>
      <nav class="mega-menu"><ul>${['Kitchen', 'Bath', 'Garden', 'Office', 'Outlet'].map((name) => `<li><a href="/${name}">${name}</a><ul>${['New', 'Popular', 'Reduced', 'All'].map((sub) => `<li><a href="/${name}/${sub}">${sub} in ${name.toLowerCase()}</a></li>`).join('')}</ul></li>`).join('')}</ul></nav></header>
      <div class="breadcrumbs"><a href="/">Home</a> / <a href="/Kitchen">Kitchen</a> / <span>${title}</span></div>
      <main id="main" class="container"><div class="grid"><div class="grid__item">${content}</div></div></main>
      <section class="related-products"><h2>You may also like</h2>${['Wren mug', 'Finch bowl', 'Plover tray'].map((name, at) => `<article class="card"><a href="/p/${at}"><img src="/p/${at}.jpg" alt=""><h3>${name}</h3></a><p class="card__price">€${at + 11}.90</p><button>Add</button></article>`).join('')}</section>
      <section class="newsletter"><h2>Stay in touch</h2><p>Sign up and get 10 % off your next order.</p><form><input type="email"><button>Sign up</button></form></section>
      <footer class="footer"><div class="footer__column"><h3>Service</h3><ul><li><a href="/contact">Contact us</a></li><li><a href="/returns">Returns form</a></li><li><a href="/tracking">Track a parcel</a></li></ul></div><div class="footer__column"><h3>About Heron</h3><ul><li><a href="/story">Our story</a></li><li><a href="/stores">Stores</a></li></ul></div><div class="footer__bottom">All prices include VAT. © Heron Retail 2026</div></footer>`,
    ),
  blog: (content, title) =>
    page(
      title,
      `<div id="page" class="site"><a class="skip-link" href="#content">Skip to content</a><header id="masthead" class="site-header"><div class="site-branding"><p class="site-title"><a href="/">Heron</a></p><p class="site-description">News from the waterfront</p></div><nav id="site-navigation" class="main-navigation"><ul id="primary-menu" class="menu"><li class="menu-item"><a href="/">Front page</a></li><li class="menu-item"><a href="/visit">Plan a visit</a></li><li class="menu-item"><a href="/blog">Diary</a></li></ul></nav></header>
      <div id="content" class="site-content"><div id="primary" class="content-area"><main id="main" class="site-main"><article id="post-12" class="post-12 page type-page hentry"><div class="entry-content">${content}</div><footer class="entry-footer"><span class="edit-link"><a href="/edit">Edit this page</a></span></footer></article></main></div>
      <aside id="secondary" class="widget-area"><section class="widget widget_search"><form><input><input type="submit" value="Search"></form></section><section class="widget widget_recent_entries"><h2 class="widget-title">Recent Posts</h2><ul><li><a href="/b/1">A seal in the dock</a></li><li><a href="/b/2">Painting the lightship</a></li></ul></section><section class="widget widget_archive"><h2 class="widget-title">Archives</h2><ul><li><a href="/2026/05">May 2026</a></li><li><a href="/2026/04">April 2026</a></li></ul></section></aside></div>
      <footer id="colophon" class="site-footer"><div class="site-info"><a href="https://press.example">Proudly powered by Press</a></div></footer></div>`,
    ),
  authority: (content, title) =>
    page(
      title,
      `<a href="#main" class="skip">Skip to main content</a><div class="phase-banner"><strong>Beta</strong> This is a new service – <a href="/feedback">your feedback</a> will help us to improve it.</div>
      <header role="banner"><a href="/">Heron Council</a><button aria-expanded="false">Menu</button></header>
      <div class="container"><div class="breadcrumbs"><ol><li><a href="/">Home</a></li><li><a href="/town">Living here</a></li></ol></div>
      <main class="main-wrapper" id="main" role="main"><div class="grid-row"><div class="two-thirds">${content}</div><div class="one-third"><nav role="navigation" aria-labelledby="rel"><h2 id="rel">Related content</h2><ul><li><a href="/bins">Bins and recycling</a></li><li><a href="/parking">Parking permits</a></li></ul></nav></div></div></main>
      <div class="feedback"><h2>Is this page useful?</h2><button>Yes</button><button>No</button><a href="/report">Report a problem with this page</a></div></div>
      <footer role="contentinfo"><h2>Support links</h2><ul><li><a href="/cookies">Cookies</a></li><li><a href="/accessibility">Accessibility statement</a></li></ul><p>All content is available under the Open Licence, except where otherwise stated</p></footer>`,
    ),
  utilities: (content, title) =>
    page(
      title,
      `<div id="root"><header class="sticky top-0 z-50 bg-white"><div class="mx-auto flex max-w-7xl items-center justify-between px-4"><a class="text-xl font-bold" href="/">Heron</a><div class="hidden gap-6 md:flex"><a href="/features">Features</a><a href="/customers">Customers</a><a href="/docs">Docs</a></div><a class="rounded-lg bg-blue-600 px-4 text-white" href="/start">Start a trial</a></div></header>
      <section class="bg-white py-16"><div class="mx-auto max-w-3xl px-4">${content}</div></section>
      <section class="bg-gray-900 py-16"><div class="mx-auto max-w-7xl px-4 text-center text-white"><h2 class="text-3xl">Ready to set sail?</h2><p class="mt-2">Try Heron for 14 days. No card needed.</p><a href="/start">Start now</a></div></section>
      <footer class="bg-gray-100 py-8"><div class="mx-auto grid max-w-7xl grid-cols-3 px-4"><div><h3>Product</h3><a href="/security">Security</a><a href="/roadmap">Roadmap</a></div><div><h3>Legal</h3><a href="/terms">Terms of use</a></div><p>© 2026 Heron Software Inc.</p></div></footer></div>`,
    ),
  manual: (content, title) =>
    page(
      title,
      `<div class="topbar"><a href="/">Heron docs</a><input placeholder="Search docs"><select><option>v2.1</option><option>v2.0</option></select></div>
      <div class="layout"><div class="side"><ul><li><a href="/d/install">Installation</a></li><li><a href="/d/start">First steps</a></li><li><a href="/d/config">Configuration</a></li><li><a href="/d/deploy">Deployment</a></li></ul></div>
      <div class="doc"><div class="doc-body">${content}</div><div class="pager"><a href="/d/start">← First steps</a> <a href="/d/deploy">Deployment →</a></div></div>
      <div class="onpage"><p>On this page</p><a href="#a">Top</a></div></div><div class="bottom">Made by the Heron community · <a href="/licence">MIT licence</a></div>`,
    ),
  tables: (content, title) =>
    page(
      title,
      `<table width="900" cellpadding="0"><tr><td colspan="2" bgcolor="#003366"><font size="5">Heron Sailing Club</font></td></tr><tr><td width="160" valign="top"><a href="home.html">Home</a><br><a href="fleet.html">Our fleet</a><br><a href="join.html">How to join</a><br><a href="links.html">Links</a></td><td valign="top">${content}</td></tr><tr><td colspan="2" align="center"><small>Last updated 3 May 2026 by the webmaster</small></td></tr></table>`,
    ),
};
