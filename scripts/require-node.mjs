// Loaded before the TypeScript scripts, and plain JavaScript on purpose: it has to run on the Node that is too old.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `This needs Node 22.18 or newer, but runs on ${process.versions.node}. ` +
      'In the repository, start it with `npm start` or `npm run NAME` after `npm ci`, which brings its own Node 24. ' +
      'If install scripts are switched off on this machine, run `npm rebuild node --ignore-scripts=false` once.\n',
  );
  process.exit(1);
}
