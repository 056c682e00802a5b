import { dirname, posix, relative } from 'node:path';
import { defineConfig } from 'vitepress';

const docs = dirname(import.meta.dirname);
/** `owner/repo` of this project, for links to its files. GitHub Actions sets it. */
const repository = `https://github.com/${process.env.GITHUB_REPOSITORY ?? 'pagewright/pagewright'}`;

export default defineConfig({
  title: 'Pagewright',
  description: 'A self-hosted GitHub App that keeps documentation up to date.',
  lang: 'en',
  // A project's pages on GitHub have the path of the repository.
  base: process.env.SITE_BASE ?? '/',
  cleanUrls: true,
  rewrites: { 'decisions/README.md': 'decisions/index.md', 'operations/README.md': 'operations/index.md' },
  markdown: {
    // The pages are read on GitHub, too: they link to files that the site does not have.
    config(md) {
      md.core.ruler.push('pages-of-the-repository', ({ tokens, env }) => {
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          // Vue would run what stands in braces in a code span.
          if (token.type === 'code_inline') token.attrSet('v-pre', '');
          const href = token.attrGet('href');
          const file = href && findFile(href, relative(docs, env.path));
          if (file) token.attrSet('href', `${repository}/blob/main/${file}`);
        }
      });
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: repository }],
    outline: [2, 3],
    sidebar: [
      {
        text: 'Start',
        items: [
          { text: 'Getting started', link: '/getting-started' },
          { text: 'What data goes where', link: '/data' },
          { text: 'Comparison', link: '/comparison' },
        ],
      },
      {
        text: 'For maintainers and reviewers',
        items: [
          { text: 'What happens on GitHub', link: '/github' },
          { text: 'Settings of a repository', link: '/configuration#repository-settings' },
          { text: 'Automations', link: '/automations' },
          { text: 'Dashboard', link: '/dashboard' },
          { text: 'Check documentation in CI', link: '/check-docs' },
        ],
      },
      {
        text: 'For callers',
        items: [
          { text: 'API', link: '/api' },
          { text: 'MCP', link: '/mcp' },
        ],
      },
      {
        text: 'For operators',
        items: [
          { text: 'Operations', link: '/operations/' },
          { text: 'Configuration', link: '/configuration' },
          { text: 'Choose a model', link: '/choosing-a-model' },
          { text: 'Deploy', link: '/operations/deploy' },
          { text: 'Monitor', link: '/operations/monitor' },
          { text: 'Scale', link: '/scaling' },
          { text: 'Back up and restore', link: '/operations/backup-and-restore' },
          { text: 'Upgrade', link: '/operations/upgrade' },
          { text: 'Rotate secrets', link: '/operations/rotate-secrets' },
          { text: 'Troubleshoot', link: '/operations/troubleshoot' },
        ],
      },
      {
        text: 'How it works',
        items: [
          { text: 'Architecture', link: '/architecture' },
          { text: 'Reliability', link: '/reliability' },
          { text: 'Security', link: '/security' },
          { text: 'Performance', link: '/performance' },
          { text: 'Decisions', link: '/decisions/' },
        ],
      },
    ],
  },
});

/** The file of the repository that a link of a page leads to, if it is no page of the docs. */
function findFile(href: string, page: string): string | undefined {
  if (/^(?:\w+:|[/#])/.test(href)) return undefined;
  const file = posix.join('docs', posix.dirname(page), href);
  return file.startsWith('docs/') && !file.endsWith('.json') ? undefined : file;
}
