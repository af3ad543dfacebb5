/**
 * Buttons that copy the text before them. Without this script, the buttons stay hidden, and users can select the text.
 */

const SAID_MS = 2_000;

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
  const [text, said] = [button.previousElementSibling, button.nextElementSibling];
  if (text === null || said === null) continue;
  button.hidden = false;
  button.addEventListener('click', () => void copy(text, said));
}

async function copy(text: Element, said: Element): Promise<void> {
  try {
    await navigator.clipboard.writeText(text.textContent ?? '');
    said.textContent = 'Copied';
  } catch {
    // Selects the text so that the user can copy it, for browsers that do not let scripts copy.
    getSelection()?.selectAllChildren(text);
    said.textContent = 'Selected';
  }
  setTimeout(() => {
    said.textContent = '';
  }, SAID_MS);
}
