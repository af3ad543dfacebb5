import { afterAll, afterEach, beforeEach } from 'vitest';
import { tabsOfTest } from './pretend-sites.ts';
import { ReusedBrowsers } from './reused-browsers.ts';

const browsers = ReusedBrowsers.ofRuntime();

beforeEach(() => tabsOfTest.forget());
afterEach(() => tabsOfTest.close());
// The next file begins with empty storage, which has no record of running browsers.
afterAll(() => browsers.closeAll());
