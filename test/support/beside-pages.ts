/** A page whose main part is certain, because a site config knows its engine; with links and menus next to it. */
export const LOCKS_HTML = `<html><head><title>How locks lift boats</title><meta name="generator" content="Sphinx 7"></head><body>
<nav><ul><li><a href="/harbours">Harbours and ferries</a></li></ul></nav>
<div class="documentwrapper"><div class="body" role="main">
<h1 id="locks">How locks lift boats</h1>
<p>A lock is a chamber with gates. See <a href="#gates">how the gates work</a> or <a href="/locks#Water">the water</a>.</p>
${section('gates', 'Gates', 60)}
${section('water', 'Water', 60)}
<a name="old name"></a><h2>Keepers<a id="hidden-sign" aria-hidden="true" href="#hidden-sign">#</a></h2><p>A keeper opens the sluices.</p>
</div></div>
<table><tr id="row1"><td>a</td><td>b</td></tr></table><section id="comments"><h2>Comments</h2><p>Ann: my uncle kept a lock with sluices.</p></section>
<footer><p>Imprint of the canal office</p></footer></body></html>`;

function section(id: string, name: string, paragraphs: number): string {
  const text = Array.from({ length: paragraphs }, (_, n) => `<p>${name} of lock ${n} are looked after.</p>`).join('');
  return `<section id="${id}"><h2>${name}</h2>${text}</section>`;
}
