// Made by scripts/page-scripts.ts: npm run page-scripts.

/** Of pages with something to copy, as it is served. */
export const COPY_SCRIPT = "\"use strict\";(()=>{for(let t of document.querySelectorAll(\"button[data-copy]\")){let[e,n]=[t.previousElementSibling,t.nextElementSibling];e===null||n===null||(t.hidden=!1,t.addEventListener(\"click\",()=>{o(e,n)}))}async function o(t,e){try{await navigator.clipboard.writeText(t.textContent??\"\"),e.textContent=\"Copied\"}catch{getSelection()?.selectAllChildren(t),e.textContent=\"Selected\"}setTimeout(()=>{e.textContent=\"\"},2e3)}})();";
