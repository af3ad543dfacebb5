import { expect, it } from 'vitest';
import { registrableDomain } from '#net/site.ts';

it.each([
  ['https://login.bank.co.uk/x', 'bank.co.uk'],
  ['http://BANK.co.uk.:8080/', 'bank.co.uk'],
  ['https://a.b.xn--55qx5d.cn/', 'b.xn--55qx5d.cn'],
  ['https://my_host.bank.com/', 'bank.com'],
  ['wss://bank.com/', 'bank.com'],
  ['https://co.uk/', 'co.uk'],
  ['http://127.0.0.1:8787/', '127.0.0.1'],
  ['http://[::1]/', '[::1]'],
  ['http://localhost:1/', 'localhost'],
  ['about:blank', null],
  ['blob:https://bank.com/1', null],
  ['data:text/html,x', null],
  ['', null],
])('the site of %s is %s', (url, site) => {
  expect(registrableDomain(url)).toBe(site);
});
