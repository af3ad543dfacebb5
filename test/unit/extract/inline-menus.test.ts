import { describe, expect, it } from 'vitest';
import { mainLines } from '#core/document/document.ts';
import { read } from './support.ts';

const MENU =
  '<span class="dropdown"><a class="dropdown-toggle" href="#">berth<span class="caret"></span></a><ul class="dropdown-menu"><li class="dropdown-header">Said in these sections:</li><li><a href="#a">Of ships</a></li><li><a href="#b">Of quays</a></li></ul></span>';
const TEXT = 'The harbour master gives each ship a place for the night, and writes it down in the book of the day.';

async function partsOf(body: string): Promise<{ main: string; rest: string }> {
  const html = `<html><head><title>Manual</title></head><body><h1>Manual</h1>${body}</body></html>`;
  const page = await read('html', html, 'readable');
  const main = mainLines(page);
  return { main: main.join('\n'), rest: page.lines.slice(main.length).join('\n') };
}

describe('a closed menu inside a text', () => {
  it.each([
    ['code', `<pre>${TEXT}\nSet "${MENU}" before the ship comes.\n${TEXT}</pre>`],
    ['a sentence', `<div>${TEXT} Set "${MENU}" before the ship comes. ${TEXT}</div>`],
  ])('does not interrupt %s, and moves to the rest', async (_, body) => {
    const { main, rest } = await partsOf(body);
    expect(main.replaceAll(/\[berth\]\([^)]*\)/g, 'berth')).toContain('Set "berth" before the ship comes.');
    expect(main).not.toContain('Of quays');
    expect(rest).toContain('Of quays');
  });

  it.each([
    ['is open', `<pre>${TEXT}\n${MENU.replace('dropdown-menu"', 'dropdown-menu show"')}</pre>`],
    ['stands by itself', `<div>${TEXT}</div><div>${MENU}</div><div>${TEXT}</div>`],
  ])('stays where it is if it %s', async (_, body) => {
    const { main, rest } = await partsOf(body);
    expect(`${main}\n${rest}`).toContain('Of quays');
    expect(rest.includes('Of quays') && main.includes('Of ships')).toBe(false);
  });
});
