import type { Settings } from '../../../repository/settings.ts';

type Name = keyof Settings;

/** The settings as people look for them. */
export const groups: readonly { title: string; names: readonly Name[] }[] = [
  { title: 'Where jobs work', names: ['base', 'paths', 'also'] },
  { title: 'How the agent writes', names: ['instructions', 'model'] },
  { title: 'Comments', names: ['comments', 'mentions'] },
  { title: 'Pull requests', names: ['draft', 'labels', 'reviewers', 'also_to', 'quote', 'sign_off', 'co_authors'] },
  { title: 'Checks', names: ['fix_checks', 'checks', 'checks_off', 'preview'] },
];

export const labels: Record<string, string> = {
  base: 'Base branch',
  paths: 'Files that the agent may change',
  also: 'Further files that it may change',
  generated: 'Generated files that it leaves alone',
  instructions: 'Writing rules',
  model: 'Model of new jobs',
  comments: 'Comments that are instructions',
  mentions: 'Mentions on issues and other pull requests',
  draft: 'Open pull requests as drafts',
  labels: 'Labels',
  reviewers: 'Reviewers',
  quote: 'Quote instructions by API',
  also_to: 'Branches that get merged changes, too',
  sign_off: 'Sign off commits',
  co_authors: 'Credit people in commits',
  fix_checks: 'Rounds in which failing checks are mended',
  checks: 'Check pull requests of everybody',
  checks_off: 'Problems that checks leave alone',
  preview: 'Where pull requests can be seen',
  context: 'Repositories that the agent may read',
  documentation: 'Repositories whose runs may read this one',
  automations: 'Automations',
} satisfies Record<Name, string>;

/** Choices in words, by setting. */
export const choices: Record<string, Record<string, string>> = {
  comments: { all: 'All comments', mention: 'Comments that mention the App', off: 'None, except “stop”' },
  mentions: { all: 'Start work', off: 'Do nothing' },
  generated: { off: 'None' },
  checks: { off: 'No', advise: 'Yes, as advice', require: 'Yes, and fail on what must be fixed' },
  preview: { off: 'Not wanted' },
  quote: { always: 'Always', never: 'Never' },
};
