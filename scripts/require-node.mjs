// Loaded before the other scripts, and plain JavaScript on purpose: it has to run on the Node that is too old, and before
// anything is installed.
import { existsSync } from 'node:fs';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isClone = existsSync(new URL('../package-lock.json', import.meta.url));

if (isClone && !existsSync(new URL('../node_modules/.package-lock.json', import.meta.url))) {
  process.stderr.write('Run npm ci first.\n');
  process.exit(1);
}
if (major < 22 || (major === 22 && minor < 18)) {
  const cure = isClone
    ? 'In the repository, start it with `npm start` or `npm run NAME` after `npm ci`, which brings its own Node 24. ' +
      'If install scripts are switched off on this machine, run `node scripts/install/node.mjs` once.'
    : 'Run it with a newer one: npx -p node@24 -p periscope-mcp periscope-mcp';
  process.stderr.write(`This needs Node 22.18 or newer, but runs on ${process.versions.node}. ${cure}\n`);
  process.exit(1);
}
