import { DATA_TASKS } from './tasks-data.ts';
import { FORM_TASKS } from './tasks-forms.ts';
import { WORK_TASKS } from './tasks-work.ts';
import { MORE_TASKS } from './tasks-more.ts';
import { PROGRAM_TASKS } from './tasks-programs.ts';
import type { Task } from './task.ts';

export const TASKS: readonly Task[] = [...DATA_TASKS, ...FORM_TASKS, ...WORK_TASKS, ...PROGRAM_TASKS, ...MORE_TASKS];
