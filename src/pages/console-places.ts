import { PATHS } from '#core/paths.ts';

/** A page of the console, as its navigation and its overview name it. */
export type ConsolePlace = {
  path: string;
  label: string;
  /** What a person does there. */
  text: string;
  isOwners?: boolean;
};

/** The pages of the console, in the order of its navigation. The first one lists the others. */
export const CONSOLE_PLACES: readonly ConsolePlace[] = [
  { path: PATHS.console, label: 'Overview', text: 'What there is.' },
  {
    path: PATHS.activity,
    label: 'Activity',
    text: 'What your models searched, read, cited and drove, each line leading to what they saw.',
  },
  {
    path: PATHS.sessions,
    label: 'Sessions',
    text: 'The browsers your models use: watch them live, take over, see each step, end them.',
  },
  {
    path: PATHS.files,
    label: 'Files',
    text: 'What browser sessions downloaded, and what you give models to work with.',
  },
  {
    path: PATHS.citations,
    label: 'Citations',
    text: 'What your models have quoted word for word, to open, share and delete.',
  },
  {
    path: PATHS.secrets,
    label: 'Secrets',
    text: 'Passwords and codes that your models can type, and never see.',
  },
  {
    path: PATHS.clients,
    label: 'Clients & tokens',
    text: 'Who may act for you: what each one may do, when it last did, and how to end it.',
  },
  { path: PATHS.usage, label: 'Usage', text: 'Calls, errors and times, and what is left of your budgets.' },
  { path: PATHS.store, label: 'Store', text: 'The pages that are stored here: search, open and delete them.' },
  {
    path: PATHS.shared,
    label: 'Public links',
    text: 'Quotes that people of this server share with everybody: see them all, and stop any.',
    isOwners: true,
  },
  {
    path: PATHS.health,
    label: 'Health check',
    text: 'What works, what does not, and what to do about it.',
    isOwners: true,
  },
];
