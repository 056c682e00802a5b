import { antoraScripts } from './antora.ts';
import { astroScripts } from './astro.ts';
import { docusaurusScripts } from './docusaurus.ts';
import { fernScripts } from './fern.ts';
import { courierScripts } from './follow/courier.ts';
import { ledgerScripts } from './follow/ledger.ts';
import { orchardScripts } from './follow/orchard.ts';
import { fumadocsScripts } from './fumadocs.ts';
import { gitbookScripts } from './gitbook.ts';
import { hugoScripts } from './hugo.ts';
import { jekyllScripts } from './jekyll.ts';
import { markdownScripts } from './markdown.ts';
import { mintlifyScripts } from './mintlify.ts';
import { mkdocsScripts } from './mkdocs.ts';
import { nextScripts } from './next.ts';
import { nextraScripts } from './nextra.ts';
import { nuxtScripts } from './nuxt.ts';
import type { TaskScript } from './script.ts';
import { smallerScripts } from './smaller-frameworks.ts';
import { sphinxScripts } from './sphinx.ts';
import { starlightScripts } from './starlight.ts';
import { vitepressScripts } from './vitepress.ts';

/** By the name of the task. */
export const allScripts: Readonly<Record<string, TaskScript>> = {
  ...mintlifyScripts,
  ...docusaurusScripts,
  ...vitepressScripts,
  ...mkdocsScripts,
  ...starlightScripts,
  ...nextraScripts,
  ...fumadocsScripts,
  ...gitbookScripts,
  ...hugoScripts,
  ...jekyllScripts,
  ...fernScripts,
  ...nuxtScripts,
  ...nextScripts,
  ...astroScripts,
  ...sphinxScripts,
  ...antoraScripts,
  ...smallerScripts,
  ...markdownScripts,
  ...courierScripts,
  ...orchardScripts,
  ...ledgerScripts,
};
