import { type Html, html } from '../../pages/html.ts';
import { type IconName, icon } from '../frame/icon.ts';
import { sourceNames } from './jobs-page.ts';
import type { Story } from './read-story.ts';

interface Step {
  name: string;
  state: 'done' | 'now' | 'todo' | 'failed';
  hint: string;
  sign?: IconName;
}

/** How far a job is, at a glance: asked, written, published, merged. */
export const renderTrack = (story: Story): Html =>
  html`<ol class="track panel" aria-label="Progress">${[
    askedStep(story),
    agentStep(story),
    publishedStep(story),
    mergedStep(story),
  ].map(
    ({ name, state, hint, sign = signs[state] }) =>
      html`<li class="${state}"${state === 'now' && html` aria-current="step"`}>${icon(sign)}<strong>${name}</strong><span class="hint">${hint}</span></li>`,
  )}</ol>`;

const signs: Record<Step['state'], IconName> = { done: 'check', now: 'turning', todo: 'dot', failed: 'cross' };

const askedStep = ({ first }: Story): Step => ({
  name: 'Instruction',
  state: 'done',
  hint: first ? `${first.author}, ${sourceNames[first.source]}` : '',
});

function agentStep({ job, runs }: Story): Step {
  const name = 'Agent';
  const last = runs.at(-1);
  if (!last) return { name, state: job.status === 'active' ? 'now' : 'todo', hint: 'Waiting to start' };
  const turns = runs.reduce((sum, run) => sum + run.turns, 0);
  const hint = turns === 0 ? 'Starting' : `${count(last.number, 'run')}, ${count(turns, 'turn')}`;
  if (last.phase !== 'ended') return { name, state: 'now', hint };
  if (last.code === 'cancelled') return { name, state: 'todo', hint: 'Stopped on request' };
  return last.outcome === 'failed'
    ? { name, state: 'failed', hint: 'Could not finish' }
    : { name, state: 'done', hint };
}

function publishedStep({ job, runs }: Story): Step {
  const name = 'Pull request';
  if (job.pull_request_number !== null)
    return { name, state: 'done', hint: job.draft ? 'Opened as a draft' : 'Opened on GitHub' };
  if (runs.at(-1)?.phase === 'publishing') return { name, state: 'now', hint: 'Publishing' };
  return {
    name,
    state: 'todo',
    hint:
      job.status === 'completed'
        ? 'Nothing had to change'
        : job.status === 'failed'
          ? 'Not opened'
          : 'When the agent is done',
  };
}

function mergedStep({ job }: Story): Step {
  const name = 'Review and merge';
  if (job.archive_reason === 'merged') return { name, state: 'done', hint: 'Merged' };
  if (job.archive_reason === 'closed') return { name, state: 'failed', hint: 'Closed without a merge' };
  if (job.status === 'archived') return { name, state: 'todo', hint: 'Not merged' };
  if (job.status === 'active') return { name, state: 'todo', hint: 'By people, on GitHub' };
  if (job.pull_request_number === null) return { name, state: 'todo', hint: 'Nothing to merge' };
  return { name, state: 'now', hint: 'Your turn: merge it, or ask for a change', sign: 'merge' };
}

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`;
