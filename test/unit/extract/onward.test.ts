import { describe, expect, it } from 'vitest';
import { markdownOf } from './support.ts';

const STUB = '<p>One moment, please.</p>';
const LONG = `<p>${'There is much to read here. '.repeat(30)}</p>`;
const LINK = /\[This page sends its readers on to this address\]\(([^)]*)\)$/;

function refresh(target: string, seconds = 0): string {
  return `<meta http-equiv="refresh" content="${seconds}; url=${target}">`;
}

async function namedBy(html: string): Promise<string | null> {
  return LINK.exec(await markdownOf(html))?.[1] ?? null;
}

describe('a page that sends readers to another address', () => {
  it.each([
    ['by meta refresh', `${refresh('/b')}${STUB}`],
    ['by meta refresh, and shows nothing', refresh("'https://site.example/b'")],
    ['by meta refresh after some time', `${refresh('https://site.example/b', 20)}${LONG}`],
    ['against its base address', `<base href="https://site.example/a/">${refresh('../b')}${STUB}`],
    ['by a script', `${STUB}<script>window.location.replace("https:\\/\\/site.example/b")</script>`],
    ['by a script, later', `${STUB}<script>setTimeout(function () { location.href = '/b' }, 900)</script>`],
  ])('names the address in its last line: %s', async (_, html) => {
    expect(await namedBy(html)).toMatch(/^https:\/\/[^/]+\/b$/);
  });

  it.each([
    ['to itself', `${refresh('#top')}${STUB}`],
    ['only without scripts', `<body><noscript>${refresh('/b')}</noscript>${STUB}`],
    ['in a comment', `<!-- ${refresh('/b')} -->${STUB}`],
    ['by a script to one of several addresses', `${STUB}<script>location = de ? '/de' : '/en'</script>`],
    ['by scripts that do not agree', `${STUB}<script>location = '/b'; location = '/c'</script>`],
    ['by a script to an address that is put together', `${STUB}<script>location = '/b' + id</script>`],
    ['by a script that only speaks of it', `${STUB}<script>var help = "location = '/b'"</script>`],
    ['by a script of a page to read', `${LONG}<script>location = '/b'</script>`],
    ['to no address of the web', `${refresh('javascript:alert(1)')}${STUB}`],
  ])('names no address when it does so %s', async (_, html) => {
    expect(await namedBy(html)).toBeNull();
  });
});
