/** Logs each event that reaches an element of the document to `window.log`, as `click:id`. */
export const LOGGED = `<script>
  window.log = [];
  const kinds = ['mousedown', 'mouseup', 'click', 'dblclick', 'contextmenu', 'auxclick', 'keydown', 'input', 'change', 'submit'];
  for (const kind of kinds) document.addEventListener(kind, (event) => {
    const [first] = event.composedPath();
    log.push([kind, first.id || first.localName, event.key].filter(Boolean).join(':') + (event.isTrusted ? '' : ' (made)'));
  });
</script>`;
