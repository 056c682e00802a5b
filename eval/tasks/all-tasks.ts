import { keepsText } from '../checks/keeps-text.ts';
import { antoraTasks } from './antora.ts';
import { astroTasks } from './astro.ts';
import { docusaurusTasks } from './docusaurus.ts';
import { fernTasks } from './fern.ts';
import { courierTasks } from './follow/courier.ts';
import { ledgerTasks } from './follow/ledger.ts';
import { orchardTasks } from './follow/orchard.ts';
import { fumadocsTasks } from './fumadocs.ts';
import { gitbookTasks } from './gitbook.ts';
import { hugoTasks } from './hugo.ts';
import { jekyllTasks } from './jekyll.ts';
import { markdownTasks } from './markdown.ts';
import { mintlifyTasks } from './mintlify.ts';
import { mkdocsTasks } from './mkdocs.ts';
import { nextTasks } from './next.ts';
import { nextraTasks } from './nextra.ts';
import { nuxtTasks } from './nuxt.ts';
import { smallerTasks } from './smaller-frameworks.ts';
import { sphinxTasks } from './sphinx.ts';
import { starlightTasks } from './starlight.ts';
import { type Task, toTask } from './task.ts';
import { vitepressTasks } from './vitepress.ts';

const nothing = /(?!)/;

const texts = [
  ...mintlifyTasks,
  ...docusaurusTasks,
  ...vitepressTasks,
  ...mkdocsTasks,
  ...starlightTasks,
  ...nextraTasks,
  ...fumadocsTasks,
  ...gitbookTasks,
  ...hugoTasks,
  ...jekyllTasks,
  ...fernTasks,
  ...nuxtTasks,
  ...nextTasks,
  ...astroTasks,
  ...sphinxTasks,
  ...antoraTasks,
  ...smallerTasks,
  ...markdownTasks,
];

export const allTasks: readonly Task[] = [...texts.map(toTask), ...courierTasks, ...orchardTasks, ...ledgerTasks].map(
  (task) => ({ ...task, checks: [...task.checks, keepsText(task.drops ?? nothing)] }),
);
