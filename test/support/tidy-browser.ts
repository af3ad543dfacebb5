import { afterEach, beforeEach } from 'vitest';
import { tabsOfTest } from './pretend-sites.ts';

beforeEach(() => tabsOfTest.forget());
afterEach(() => tabsOfTest.close());
