// The end of a file's name says its project: CONTRIBUTING.md, section Tests.
const suffixed = (name: string) => `test/**/*.${name}.test.ts`;
const suffixedAtAll = 'test/**/*.*.test.ts';
const standIns = 'test/local/**/*.test.ts';

/** In this order: the slowest files start first, and the fast ones fill the end. */
export const projects = [
  { name: 'process', include: [suffixed('process')], exclude: [] },
  { name: 'edge', include: [suffixed('edge')], exclude: [] },
  { name: 'local', include: [standIns], exclude: [suffixedAtAll] },
  { name: 'smoke', include: [suffixed('smoke')], exclude: [] },
  { name: 'story', include: [suffixed('story')], exclude: [] },
  { name: 'database', include: [suffixed('database')], exclude: [] },
  { name: 'unit', include: ['test/**/*.test.ts'], exclude: [suffixedAtAll, standIns] },
];

/**
 * The longest of all, most of them waiting. They start before all others: a fresh clone, as in CI, knows no durations. No
 * unit test: those share workers, so vitest would start all of them first.
 */
export const longest = [
  'test/stories/pull-requests/reviews.process.test.ts',
  'test/reliability/chaos.process.test.ts',
  'test/reliability/github-limits.process.test.ts',
  'test/reliability/database-outages.process.test.ts',
  'test/local/demo/demo.process.test.ts',
  'test/store/embedded/embedded-postgres.process.test.ts',
  'test/stories/pull-requests/life-on-github.edge.test.ts',
];
