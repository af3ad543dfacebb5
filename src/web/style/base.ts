/** Design tokens and elements for light and dark mode: one accent, three text colours, one radius, a 4 px grid. */
export const BASE_CSS = `
:root { color-scheme: light dark; --bg: #fbfbfa; --panel: #fff; --side: #f4f4f2; --line: #e4e4e0; --edge: #8b918e; --ink: #1b1f1d; --soft: #48514c; --faint: #5b635f; --accent: #0b6b5e; --on-accent: #fff; --tint: #e2f1ee; --doubt: #8a4a06; --doubt-tint: #fdf2e2; --bad: #a3261d; --on-bad: #fff; --bad-tint: #fbeae8; --ok: #1d7a46; --mark: #fdeeb0; --r: 8px; --shadow: 0 1px 2px rgb(20 30 25 / .06); --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
@media (prefers-color-scheme: dark) {
  :root { --bg: #141716; --panel: #1a1e1c; --side: #101312; --line: #2b312e; --edge: #6b7470; --ink: #e8ecea; --soft: #bcc5c1; --faint: #a5aeaa; --accent: #57c7b3; --on-accent: #06251f; --tint: #16312c; --doubt: #f0b46c; --doubt-tint: #33270f; --bad: #f59b93; --on-bad: #35100d; --bad-tint: #3a1f1c; --ok: #6fd09a; --mark: #4d4314; --shadow: none; }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 4.5rem; }
body { margin: 0; background: var(--bg); color: var(--ink); font: .9375rem/1.55 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 40px 20px 64px; }
main.narrow { max-width: 34rem; }
main.wide { max-width: 60rem; }
h1 { font-size: 1.5rem; line-height: 1.25; font-weight: 650; letter-spacing: -.01em; margin: 0 0 8px; }
h2 { font-size: 1.0625rem; line-height: 1.35; font-weight: 600; margin: 32px 0 8px; }
h3 { font-size: .9375rem; font-weight: 600; margin: 0; }
h1, dd { overflow-wrap: anywhere; }
p { margin: 8px 0; }
.lead { color: var(--soft); margin: 0 0 16px; max-width: 44rem; text-wrap: pretty; }
a { color: var(--accent); text-underline-offset: .15em; text-decoration-thickness: 1px; }
ol { padding-left: 20px; }
pre { background: var(--side); border: 1px solid var(--line); border-radius: var(--r); padding: 12px 16px; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
code { font: .875em/1.5 var(--mono); overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 16px; margin: 16px 0; }
dt { color: var(--soft); }
dd { margin: 0; }
figure, blockquote { margin: 16px 0; }
blockquote { border-left: 3px solid var(--line); padding-left: 12px; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; }
figcaption { overflow-wrap: anywhere; }
mark { background: var(--mark); color: inherit; border-radius: 2px; }
summary { cursor: pointer; color: var(--accent); padding: 4px 0; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
[tabindex='-1']:focus { outline: none; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 8px; top: 8px; background: var(--panel); padding: 8px 16px; z-index: 9; }
.i { width: 16px; height: 16px; flex: none; stroke: currentColor; fill: none; stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
.logo { display: inline-grid; place-items: center; flex: none; width: 28px; height: 28px; border-radius: 7px; background: var(--accent); color: var(--on-accent); }
.brand { display: flex; align-items: center; gap: 10px; font-weight: 650; line-height: 1.25; color: inherit; text-decoration: none; min-width: 0; }
.brand small { display: block; font-size: .75rem; font-weight: 400; color: var(--faint); overflow-wrap: anywhere; }

fieldset { border: 1px solid var(--line); border-radius: var(--r); padding: 8px 16px 12px; margin: 20px 0 12px; }
legend { padding: 0 4px; font-weight: 600; }
label { display: block; font-weight: 550; margin: 16px 0 4px; }
.choice { display: flex; gap: 12px; align-items: flex-start; font-weight: 400; margin: 8px 0; }
.choice input { flex: none; width: 18px; height: 18px; margin: 3px 0 0; accent-color: var(--accent); }
.choice b { font-weight: 550; }
.choice small { display: block; font-size: .8125rem; line-height: 1.45; color: var(--soft); }
input[type=password], input[type=text], input[type=url], input[type=search], input[type=number], input[type=file], select, textarea { width: 100%; min-height: 40px; font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--edge); border-radius: var(--r); padding: 8px 12px; }
[aria-invalid] { border-color: var(--bad) !important; }
button, .button { display: inline-flex; align-items: center; justify-content: center; gap: 8px; font-family: inherit; font-size: .875rem; font-weight: 550; line-height: 1.3; color: var(--ink); background: var(--panel); border: 1px solid var(--edge); border-radius: var(--r); padding: 4px 14px; min-height: 36px; text-decoration: none; cursor: pointer; }
button:hover, .button:hover { border-color: var(--ink); }
.primary { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
.danger { color: var(--bad); }
.danger:hover { border-color: var(--bad); }
.primary.danger { color: var(--on-bad); background: var(--bad); border-color: var(--bad); }
button[disabled] { opacity: .55; cursor: default; }
button.quiet { font-weight: 400; font-size: inherit; border: 0; background: none; padding: 0 2px; min-height: 0; color: var(--accent); text-decoration: underline; }
@media (max-width: 56rem), (pointer: coarse) { .filter :is(input, select, button) { height: 44px; } button, .button { min-height: 44px; } input:is([type=password], [type=text], [type=url], [type=search], [type=number], [type=file]), select { min-height: 44px; } }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; margin: 20px 0; }
.ways { display: grid; gap: 8px; margin: 20px 0; }
.or { display: flex; align-items: center; gap: 12px; color: var(--soft); margin: 20px 0 0; }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--line); }

.facts { color: var(--soft); font-size: .8125rem; margin: 2px 0; }
.facts.apart { display: flex; flex-wrap: wrap; gap: 0 20px; }
.facts.apart > * { min-width: 0; overflow-wrap: anywhere; }
.note { color: var(--soft); font-size: .8125rem; margin-top: 20px; }
.doubt { color: var(--doubt); }
.claimed { color: var(--soft); font-style: italic; }
.problem { color: var(--bad); font-weight: 550; }
p.problem:not(:empty), .warning, .done { border: 1px solid; border-radius: var(--r); padding: 8px 12px; }
p.problem { background: var(--bad-tint); border-color: color-mix(in srgb, var(--bad) 40%, transparent) !important; }
.warning { background: var(--doubt-tint); border-color: color-mix(in srgb, var(--doubt) 40%, transparent); }
.done { background: var(--tint); border-color: color-mix(in srgb, var(--accent) 40%, transparent); }
.once { user-select: all; }
.state { display: inline-flex; align-items: center; gap: 6px; font-size: .8125rem; color: var(--soft); white-space: nowrap; }
.state::before { content: ""; width: 8px; height: 8px; border-radius: 50%; background: var(--faint); }
.state.ok::before { background: var(--ok); }
.state.warn { color: var(--doubt); }
.state.warn::before { background: currentColor; }
.state.bad { color: var(--bad); }
.state.bad::before { background: currentColor; }
.chip { display: inline-block; max-width: 12rem; white-space: nowrap; vertical-align: middle; padding: 0 8px; border-radius: 10px; background: var(--side); border: 1px solid var(--line); font-size: .75rem; line-height: 1.5; color: var(--soft); }
.copy { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; background: var(--side); border: 1px solid var(--line); border-radius: var(--r); padding: 4px 4px 4px 12px; margin: 8px 0; min-height: 44px; }
.copy code { flex: 1 1 12rem; min-width: 0; white-space: pre-wrap; user-select: all; }
.said:empty { display: none; }
.said { font-size: .8125rem; color: var(--soft); }
.scrolls { overflow-x: auto; position: relative; background: linear-gradient(to left, var(--bg) 50%, transparent) right / 48px 100% no-repeat local, linear-gradient(to left, var(--edge), transparent) right / 16px 100% no-repeat scroll; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; }
th, td { text-align: left; padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
th { font-weight: 550; }
thead th { color: var(--soft); font-size: .8125rem; }
th, th code { overflow-wrap: normal; }
tr:last-child > * { border-bottom: 0; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.sharing { min-width: 5rem; width: 30%; vertical-align: middle; }
@media (max-width: 36rem) { .sharing { display: none; } th, td { padding-right: 8px; font-size: .8125rem; } :is(th, td).number { padding: 6px 0 6px 4px; font-size: .75rem; } :is(th, td):has(+ .number) { padding-right: 0; } th code { font-size: .6875rem; } }
`;
