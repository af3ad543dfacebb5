import { runBackupCommand } from './backup/run.ts';

/** `npm run backup -- FILE [--url URL] [--home FOLDER]` */
await runBackupCommand('backup', process.argv.slice(2));
