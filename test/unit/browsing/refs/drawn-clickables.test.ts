import { describe, expect, it } from 'vitest';
import { recordedPages } from '#support/recorded/recorded-pages.ts';

/** Posts that are drawn again as a whole, with clickable elements that have neither a role nor a name. */
const POSTS = `<main></main><style>.act,.share{cursor:pointer;display:inline-block}</style><script>
  const main = document.querySelector('main');
  let posts = [['Ann', 3], ['Bob', 0], ['Cid', 12]];
  function draw() {
    main.innerHTML = posts.map(([name, likes]) => '<div class="post"><p>' + name + '</p><span class="act">Like</span> <i>' + likes +
      ' likes</i> <span class="share">Share</span></div>').join('');
  }
  draw();
</script>`;

const pages = recordedPages('refs/drawn-clickables', () => `<!doctype html><title>Posts</title><body>${POSTS}`);

describe('a ref of a clickable element without a role, in posts that are drawn again', () => {
  const nameOf = 'this.closest(".post").firstChild.textContent + " " + this.textContent';

  it.each([
    ['another post changed', 'posts[1][1] += 1'],
    ['a post came before it', 'posts.unshift(["Dee", 7])'],
    ['the order changed', 'posts.reverse()'],
  ])('leads to the same control of the same post when %s', async (_, change) => {
    const page = await pages.open('http://site.example/');
    const ref = await page.refOf('clickable "Share"', 2);
    await page.run(`${change}; draw()`);
    expect(await page.ask(await page.resolve(ref), nameOf)).toBe('Cid Share');
  });

  it('is refused when its own post changed, with the posts of the others', async () => {
    const page = await pages.open('http://site.example/');
    const ref = await page.refOf('clickable "Like"', 1);
    await page.run('posts[1][1] += 1; draw()');
    const failure = await page.failure(ref);
    expect(failure).toMatchObject({ code: 'stale_ref', alike: expect.stringMatching(/clickable "Like" in: Bob/u) });
  });
});
