export const CONSOLE_CSS = `
.app { display: grid; grid-template-columns: 14.5rem minmax(0, 1fr); min-height: 100vh; background: linear-gradient(90deg, var(--side) 14.5rem, transparent 0); }
.app > main { margin: 0; max-width: 68rem; width: 100%; padding: 28px 36px 64px; }
.top { display: none; }
nav.console { position: sticky; inset: 0 auto auto 0; display: flex; flex-direction: column; gap: 12px; width: auto; height: 100vh; max-height: none; margin: 0; padding: 16px 12px; overflow: auto; color: var(--ink); background: var(--side); border: 0; border-right: 1px solid var(--line); }
nav.console .brand { padding: 0 8px; }
.close { display: none; }
.group p { margin: 0 0 4px; padding: 0 8px; font-size: .75rem; font-weight: 600; color: var(--faint); }
.group ul { list-style: none; margin: 0; padding: 0; }
.group li a { display: flex; align-items: center; gap: 10px; min-height: 28px; padding: 0 8px; border-radius: 6px; color: var(--soft); text-decoration: none; font-size: .875rem; }
.group a:hover { background: color-mix(in srgb, var(--ink) 6%, transparent); color: var(--ink); }
.group a[aria-current] { background: var(--panel); color: var(--ink); font-weight: 600; box-shadow: inset 0 0 0 1px var(--line), inset 3px 0 var(--accent); }
.waits { display: block; padding: 6px 10px; border-radius: var(--r); background: var(--doubt-tint); color: var(--doubt); border: 1px solid color-mix(in srgb, var(--doubt) 40%, transparent); font-size: .875rem; font-weight: 600; text-decoration: none; }
.who { position: sticky; bottom: 0; background: var(--side); display: flex; gap: 10px; align-items: flex-start; margin: auto -12px -16px; padding: 12px 20px 16px; border-top: 1px solid var(--line); font-size: .8125rem; color: var(--soft); }
.who > div { min-width: 0; overflow-wrap: anywhere; }
.who b { display: block; color: var(--ink); font-weight: 600; }
.who form { display: inline; }
.face { display: grid; place-items: center; flex: none; width: 28px; height: 28px; border-radius: 50%; background: var(--tint); color: var(--accent); font-weight: 600; }
@media (max-width: 56rem) {
  .app { display: block; background: none; }
  .app > main { padding: 20px 16px 56px; }
  .top { display: flex; align-items: center; gap: 8px; padding: 8px 16px; background: var(--side); border-bottom: 1px solid var(--line); position: sticky; top: 0; z-index: 4; }
  .top .brand { margin-right: auto; }
  .top:has(.waits) .brand > :last-child { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  nav.console { position: fixed; inset: 0 0 0 auto; width: min(20rem, 88vw); height: 100dvh; border: 0; border-left: 1px solid var(--line); }
  nav.console:not(:popover-open) { display: none; }
  nav.console::backdrop { background: rgb(0 0 0 / .4); }
  .close { display: flex; position: absolute; top: 8px; right: 12px; }
  .group li a { min-height: 44px; font-size: .9375rem; }
  .who { position: static; }
  .who a, .who button.quiet { display: inline-block; padding: 8px 4px 8px 0; }
}
.title { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; margin-bottom: 12px; }
.title h1 { margin: 0; }
.title .actions { margin: 0 0 0 auto; }
.card, .rows, .app form.panel, .filter { background: var(--panel); border: 1px solid var(--line); border-radius: var(--r); box-shadow: var(--shadow); }
.app h2 { font-size: .9375rem; margin: 28px 0 8px; }
.card { padding: 12px 16px; margin: 0 0 20px; min-width: 0; }
.card > h2:first-child, .heading h2 { margin: 0; }
.heading { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0 16px; margin: 28px 0 8px; }
.heading a { font-size: .8125rem; }
form.panel { padding: 4px 16px 16px; margin: 8px 0; max-width: 40rem; }
form.panel .actions { margin: 16px 0 0; }
.filter { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: end; margin: 12px 0 20px; padding: 12px; }
.filter > div { flex: 1 1 9rem; min-width: 0; }
.filter > .broad { flex: 3 1 16rem; }
.filter :is(input, select, button) { height: 40px; }
.filter label { margin: 0 0 2px; font-size: .8125rem; color: var(--soft); }

.rows { list-style: none; padding: 0; margin: 8px 0; }
.rows > li { position: relative; display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center; padding: 10px 16px; border-top: 1px solid var(--line); }
.rows > li:first-child { border-top: 0; }
.rows > li:hover { background: color-mix(in srgb, var(--ink) 2%, transparent); }
.rows > li > .i { align-self: flex-start; margin-top: 4px; color: var(--faint); }
.rows > li.failed > .i { color: var(--bad); }
.rows .what { flex: 1 1 16rem; min-width: 0; overflow-wrap: anywhere; }
.rows .what > p:not(.facts) { margin: 0; }
.rows strong { font-weight: 600; }
.rows strong:has(+ .state) { margin-right: 8px; }
.rows .actions { margin: 0; flex: none; }
.rows .aside { min-width: 0; max-width: 100%; display: flex; align-items: center; gap: 12px; color: var(--faint); font-size: .8125rem; white-space: nowrap; }
.rows blockquote { margin: 0 0 4px; border-color: var(--accent); }
.rows > .folds { padding-right: 44px; }
.more { flex: 0 0 100%; }
.more > summary { position: absolute; right: 8px; top: 6px; display: grid; place-items: center; width: 32px; height: 32px; padding: 0; border-radius: 6px; list-style: none; color: var(--faint); }
.more > summary::-webkit-details-marker { display: none; }
.more > summary:hover { background: color-mix(in srgb, var(--ink) 7%, transparent); color: var(--ink); }
.more[open] > summary .i { transform: rotate(180deg); }
.rows > li:not(:has(.more[open])) > .more { flex: 0 0 0; width: 0; margin-left: -12px; }
.more > div { border-top: 1px dashed var(--line); margin-top: 6px; padding: 8px 0 4px; }
.more .actions { margin: 8px 0 0; }
.settings > li { padding-top: 8px; padding-bottom: 8px; align-items: flex-start; }
.settings .state { float: right; margin-top: 2px; }
.settings > li:has(.state.warn) { background: var(--doubt-tint); }
.rows .danger:not(.primary, :hover, :focus-visible) { color: inherit; }
.lines .what { display: flex; gap: 6px; align-items: baseline; flex: 1 1 0; white-space: nowrap; overflow: hidden; padding: 2px 0 2px 2px; }
.lines > li { padding-top: 5px; padding-bottom: 5px; min-height: 42px; flex-wrap: nowrap; }
.lines > li:has(.more[open]) { flex-wrap: wrap; }
.lines > li > .i { align-self: center; margin: 0; }
.lines .what > .about { overflow: hidden; text-overflow: ellipsis; min-width: 3rem; flex: 0 1 auto; color: var(--ink); font-weight: 550; }
.lines .what > .about a { color: inherit; text-decoration-color: var(--edge); }
.lines .what > .where { overflow: hidden; text-overflow: ellipsis; flex: 1 1 0; min-width: 0; color: var(--soft); font-size: .8125rem; }
.lines .deed { color: var(--soft); flex: none; }
.lines time { min-width: 5rem; text-align: right; }
@media (max-width: 36rem) {
  .rows > li { padding-left: 12px; padding-right: 12px; }
  .rows > .folds { padding-right: 48px; }
  .rows > li > .i + .what { flex-basis: calc(100% - 28px); }
  .rows:not(.steps) > li > .shot + .what { flex-basis: calc(100% - 100px); }
  .rows > li > .i ~ :is(.aside, .actions) { padding-left: 28px; }
  .more > summary { width: 44px; height: 44px; top: 0; right: 2px; }
  .lines > li { flex-wrap: wrap; gap: 0 8px; }
  .lines .what { flex: 1 1 calc(100% - 24px); }
  .lines .what > .about { white-space: normal; overflow-wrap: anywhere; }
  .lines .what > .where { display: none; }
  .lines .aside { padding-left: 24px; }
  .lines time { min-width: 0; text-align: left; }
  .lines .more { margin: 0 !important; }
}
.empty { display: flex; gap: 12px; align-items: flex-start; border: 1px dashed var(--edge); border-radius: var(--r); padding: 16px; margin: 8px 0; color: var(--soft); max-width: 40rem; }
.empty .i { margin-top: 3px; color: var(--accent); }
.empty p { margin: 0; }
.rows.waiting { border-color: color-mix(in srgb, var(--doubt) 50%, var(--line)); background: linear-gradient(90deg, var(--doubt-tint), var(--panel) 70%); }
.rows.waiting > li { padding: 16px; align-items: flex-start; }
.rows.waiting .what { align-self: center; }
.rows.waiting strong { font-size: 1rem; }
.shot { flex: none; display: block; width: 8rem; max-width: 100%; border: 1px solid var(--line); border-radius: 6px; background: var(--side); overflow: hidden; }
.shot img { display: block; width: 100%; height: auto; background: var(--side); color: var(--faint); font-size: .75rem; }
.shot.none { padding: 8px; color: var(--faint); font-size: .75rem; line-height: 1.4; }
@media (prefers-color-scheme: dark) { .shot img { opacity: .85; } }
@media (max-width: 36rem) { .rows.waiting .actions { flex-basis: 100%; } .shot { width: 5.5rem; } .shot.none { display: none; } }
.steps .shot { width: 12rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: 12px; list-style: none; margin: 16px 0 20px; padding: 0; }
.tiles li { background: var(--panel); border: 1px solid var(--line); border-radius: var(--r); box-shadow: var(--shadow); padding: 12px 16px; font-size: .8125rem; color: var(--soft); }
.tiles b { display: block; font-size: 1.375rem; line-height: 1.35; font-weight: 600; color: var(--ink); font-variant-numeric: tabular-nums; }
.tiles .share { margin-top: 8px; }
@media (max-width: 36rem) { .tiles li:last-child:nth-child(odd) { grid-column: 1 / -1; } }
.halves { display: grid; grid-template-columns: minmax(0, 1.5fr) minmax(0, 1fr); gap: 0 24px; align-items: start; }
@media (min-width: 36rem) { .halves .shot ~ .actions { margin-left: calc(8rem + 12px); } }
@media (min-width: 64rem) { .halves > div > .heading:first-child { margin-top: 4px; } .halves .where { display: none; } }
.rows + .card { margin-top: 20px; }
:is(.rows, .empty, form.panel) + h3 { margin: 20px 0 8px; }
@media (max-width: 64rem) { .halves { grid-template-columns: minmax(0, 1fr); } }
.plot { margin: 12px 0; background: var(--panel); border: 1px solid var(--line); border-radius: var(--r); padding: 12px 16px; }
.plot svg { display: block; width: 100%; height: 6rem; margin-top: 8px; border-bottom: 1px solid var(--edge); }
.plot .ends { display: flex; justify-content: space-between; gap: 16px; color: var(--faint); font-size: .75rem; }
.plot figcaption { font-size: .875rem; }
.bar { fill: var(--accent); }
.reserved { fill: var(--faint); opacity: .5; }
.bad { fill: var(--bad); }
.share { display: block; width: 100%; height: 4px; background: var(--line); border-radius: 2px; overflow: hidden; }
.app .scrolls:not(.text *) { background: var(--panel); border: 1px solid var(--line); border-radius: var(--r); padding: 4px 16px; margin: 8px 0; }
@media (max-width: 36rem) { .app .scrolls:not(.text *) { padding: 4px 12px; } }
.group-title { display: flex; align-items: center; gap: 8px; }
.pick { position: sticky; top: 0; display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 4px 16px; background: var(--bg); border-bottom: 1px solid var(--line); padding: 8px 0; z-index: 1; }
@media (max-width: 56rem) { .pick { top: 60px; } }
.picked { list-style: none; padding: 0; }
.picked label { display: grid; grid-template-columns: auto 28px minmax(0, 1fr); gap: 10px; margin: 0; padding: 2px 0; font-weight: 400; cursor: pointer; scroll-margin-top: 8rem; }
.picked .blank { height: 20px; }
.picked label:hover { background: var(--side); }
.picked input { width: 17px; height: 17px; margin: 4px 0 0; accent-color: var(--accent); scroll-margin-top: 8rem; }
.picked .number { color: var(--faint); font-size: .8125rem; padding-top: 2px; text-align: right; font-variant-numeric: tabular-nums; }
.picked label > :last-child { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; }
`;
