import { docusaurus } from './sites/docusaurus.ts';
import { gitbook } from './sites/gitbook.ts';
import { github } from './sites/github.ts';
import { javadoc } from './sites/javadoc.ts';
import { mintlify } from './sites/mintlify.ts';
import { mkdocs } from './sites/mkdocs.ts';
import { readme } from './sites/readme.ts';
import { rustdoc } from './sites/rustdoc.ts';
import { sphinx } from './sites/sphinx.ts';
import { vitepress } from './sites/vitepress.ts';
import type { SiteConfig } from './site-config.ts';

/** Every site config, in the order in which their generators and markers are tried. */
export const SITE_CONFIGS: readonly SiteConfig[] = [
  docusaurus,
  mkdocs,
  sphinx,
  vitepress,
  rustdoc,
  javadoc,
  gitbook,
  readme,
  mintlify,
  github,
];
