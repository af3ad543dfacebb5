import { runBackupCommand } from './backup/run.ts';

/** `npm run restore -- FILE [--url URL] [--home FOLDER]` */
await runBackupCommand('restore', process.argv.slice(2));
