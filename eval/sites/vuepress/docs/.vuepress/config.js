export default {
  title: 'Loom',
  themeConfig: {
    sidebar: ['/README.md', '/guide/weave.md', '/guide/patterns.md'],
  },
};
