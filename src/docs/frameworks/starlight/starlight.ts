import { type CodeFile, type EntryRules, wholeFile } from '../edits/data-files.ts';
import { displayKeys, isPath, isRedirectStatus, linkValues, namesRules, socialLinks, titles } from '../edits/rules.ts';
import { type Framework, markedBy } from '../framework.ts';
import { scriptNames } from '../scripts.ts';
import { openStarlight } from './open-starlight.ts';

/** https://starlight.astro.build/reference/configuration/#sidebar */
const entries: EntryRules = {
  keys: [
    ...['label', 'slug', 'link', 'items', 'text', 'translations', 'autogenerate', 'directory', 'attrs', 'id'],
    ...displayKeys,
  ],
  otherKeys: /^[a-z]{2}(?:-[a-z]{2,4})?$/i,
  texts: titles,
  values: { ...linkValues, directory: isPath },
};

/** https://docs.astro.build/en/reference/configuration-reference/#redirects */
const redirects: EntryRules = {
  keys: ['status', 'destination'],
  otherKeys: /^\//,
  values: { status: isRedirectStatus },
};

const configuration: CodeFile = {
  path: /^astro\.config\.[cm]?[jt]sx?$/,
  what: 'its sidebar, social links and redirects',
  containers: [
    { ...entries, name: 'sidebar', at: ['integrations', '*', 'starlight()', 'sidebar'] },
    { ...socialLinks, name: 'social', at: ['integrations', '*', 'starlight()', 'social'] },
    {
      ...entries,
      name: 'sidebar topics',
      // https://starlight-sidebar-topics.netlify.app/docs/configuration/
      at: ['integrations', '*', 'starlight()', 'plugins', '*', 'starlightSidebarTopics()'],
    },
    { ...redirects, name: 'redirects', at: ['redirects'], canBeAdded: 'key' },
  ],
};

const imported: CodeFile = {
  what: 'its sidebar and redirects',
  containers: [
    { ...entries, name: 'sidebar', at: [/^export .*(?:sidebar|nav)/i] },
    { ...redirects, name: 'redirects', at: [/^export .*redirects/i] },
  ],
};

/** https://starlight.astro.build/guides/pages/, https://starlight.astro.build/guides/i18n/ */
export const starlight: Framework = {
  name: 'Starlight',
  hasExactAddresses: true,
  markers: markedBy(...scriptNames('astro.config')),
  sites: { open: openStarlight },
  data: [wholeFile(/^src\/content\/i18n\/[^/]+\.json$/, 'json', namesRules, 'its texts')],
  code: { files: [configuration], imported },
  dialect: {
    // https://docs.astro.build/en/guides/integrations-guide/mdx/
    components: ['Fragment'],
    copiesFiles: true,
    // https://starlight.astro.build/reference/frontmatter/#template
    layouts: ['doc', 'splash'],
    names: ['frontmatter', 'file', 'url', 'components', 'Astro'],
    blocks: 'colons',
    // https://starlight.astro.build/reference/frontmatter/#title-required
    needsTitle: true,
  },
  built: /^\.astro\//,
  redirectForms: [
    { file: /^astro\.config\./, write: (from, to) => `redirects: { '${from.address}': '${to.address}' }` },
  ],
};
