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
 * The longest of all, slowest first: they start before all others, and a part of the tests gets its share of them. A fresh
 * clone, as in CI, knows no durations. No unit test: those share workers, so vitest would start all of them first.
 */
export const longest = [
  'test/trials/faults/faults.process.test.ts',
  'test/http/dashboard/accessibility.process.test.ts',
  'test/store/move/move-database.process.test.ts',
  'test/eval/run.process.test.ts',
  'test/local/demo/demo.process.test.ts',
  'test/reliability/database-outages.process.test.ts',
  'test/cli/operators-day.process.test.ts',
  'test/store/embedded/embedded-postgres.process.test.ts',
  'test/reliability/deploys.process.test.ts',
  'test/http/dashboard/forms.process.test.ts',
  'test/reliability/takeovers.process.test.ts',
  'test/stories/pull-requests/reviews.process.test.ts',
  'test/reliability/embedded-database.process.test.ts',
  'test/http/dashboard/live.process.test.ts',
  'test/stories/jobs/takeovers.process.test.ts',
  'test/stories/pull-requests/life-on-github.edge.test.ts',
  'test/stories/pull-requests/comments.edge.test.ts',
  'test/stories/jobs/follow-ups.edge.test.ts',
  'test/stories/pull-requests/reviews.edge.test.ts',
];
