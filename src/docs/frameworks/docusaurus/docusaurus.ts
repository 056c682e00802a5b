import { type Framework, markedBy } from '../framework.ts';
import { scriptNames } from '../scripts.ts';
import { docusaurusCode, docusaurusData } from './docusaurus-edits.ts';
import { openDocusaurus } from './open-docusaurus.ts';

/** https://docusaurus.io/docs/docs-introduction */
export const docusaurus: Framework = {
  name: 'Docusaurus',
  hasExactAddresses: true,
  markers: markedBy(...scriptNames('docusaurus.config')),
  sites: { open: (tree, root) => [openDocusaurus(tree, root)] },
  data: docusaurusData,
  code: docusaurusCode,
  dialect: {
    isMdx: 'always',
    // https://docusaurus.io/docs/markdown-features/assets
    copiesFiles: true,
    // https://docusaurus.io/docs/markdown-features/toc#heading-ids
    mdx: { comments: true, headingIds: true },
    // https://docusaurus.io/docs/markdown-features/react
    components: ['Details', 'Head'],
    names: ['frontMatter', 'metadata', 'contentTitle', 'toc', 'assets', 'components'],
    blocks: 'colons',
  },
  built: /^(?:\.docusaurus|\.cache-loader)\//,
  redirectForms: [
    {
      file: /^docusaurus\.config\./,
      write: (from, to) => `redirects: [{ from: '${from.address}', to: '${to.address}' }]`,
    },
  ],
};
