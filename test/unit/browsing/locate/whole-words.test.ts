import { beforeAll, describe, expect, it } from 'vitest';
import type { PageWithRefs } from '#support/page-with-refs.ts';
import { recordedPages } from '#support/recorded/recorded-pages.ts';
import type { RecordedTab } from '#support/recorded/recorded-tab.ts';

/** A part of a name is found only by whole words: a part of a word may be another name. */
const PAGE = `<!doctype html><title>T</title>
<button class="notify">Notify all</button><button class="delete">Delete all</button><button class="open" title="Open the archive"></button>
<label>Order 17 <input class="amount"></label>
<table><tr><th>Order</th><th>State</th></tr><tr class="r17"><td>Order 17</td><td><input type="checkbox"></td></tr></table>
<p class="price">From 12 to 20</p><button class="cjk">打开设置</button>
<button class="inbox">Inbox<span>300</span></button><a href="#n" class="notes">Notes<sup>new</sup></a><h2 class="orders">Orders<span>400</span></h2>
<ul role="listbox" aria-label="Cities"><li role="option" tabindex="0" class="london"><span>London</span><span>UK</span></ul>
<a href="#p" class="post">How to build a fast server with a title that is cut in views</a><button class="file"><u>F</u>ile</button>
<label>Password<span>required</span><input class="word"></label>`;

const pages = recordedPages('locate/whole-words', () => PAGE);
let page: PageWithRefs<RecordedTab>;

beforeAll(async () => {
  page = await pages.open('http://site.example/');
});

const at = async (target: string) => page.ask(await page.resolve(target), 'this.className || this.localName');

describe('a part of a name', () => {
  it.each([
    ['button "Notify"', 'notify'],
    ['button "all" in "nothing"', null],
    ['button "No"', null],
    ['button "Del"', null],
    ['button "elete all"', null],
    ['button "Archive"', 'open'],
    ['button "Arch"', null],
    ['textbox "Order"', 'amount'],
    ['textbox "Order 1"', null],
    ['row "Order 17"', 'r17'],
    ['row "Order 1"', null],
    ['text=12', 'price'],
    ['text=2', null],
    ['button "设置"', 'cjk'],
    ['button "Inbox"', 'inbox'],
    ['button "Inb"', null],
    ['link "Notes"', 'notes'],
    ['heading "Orders"', 'orders'],
    ['option "London"', 'london'],
    ['textbox "Password"', 'word'],
    ['"Password"', 'word'],
    ['button "F"', null],
    ['link "How to build a fas…"', 'post'],
    ['link "How to build a fas..."', 'post'],
    ['text=How to build a fas…', 'post'],
    ['link "How to build a fas"', null],
    ['link "How…"', null],
  ])('%s finds %s', async (target, found) => {
    if (found === null) await expect(page.resolve(target)).rejects.toThrow(expect.anything());
    else expect(await at(target)).toBe(found);
  });
});
