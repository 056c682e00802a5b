import type { SidebarsConfig } from '@docusaurus/plugin-content-docs';

const sidebars: SidebarsConfig = {
  docs: [
    'intro',
    'install',
    {
      type: 'category',
      label: 'Guides',
      items: ['guides/deploy', 'guides/rollback', 'guides/logs', 'guides/metrics'],
    },
    {
      type: 'category',
      label: 'Reference',
      items: ['reference/cli', 'reference/configuration'],
    },
  ],
};

export default sidebars;
