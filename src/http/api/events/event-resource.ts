import { z } from 'zod';
import type { EventType } from '../../../store/tables/jobs/event-data.ts';
import type { StoredEvent } from '../../../store/tables/jobs/events.ts';
import { timeSchema } from '../description/parameters.ts';

/** Every type, with what its `data` tells. */
const meanings: Record<EventType, string> = {
  'job.created': 'A request was accepted: `ref`, `model`, `draft`. Always the first event.',
  'message.accepted': 'An instruction was accepted: `messageId`, `source`, `author`, `text`.',
  'run.started': 'A run began: `runId`, `number`.',
  'turn.answered':
    'The model answered: `runId`, `turn`, `text`, `tools` (names), `tokensIn`, `tokensCached`, `tokensOut`.',
  'tool.finished': 'A tool call ended: `runId`, `turn`, `name`, `arguments`, `result`, `isError`.',
  'file.changed':
    'A file changed: `runId`, `path`, `additions`, `deletions` (lines so far, against the base; `null`: not counted).',
  'check.problem':
    'A check of the documentation found a problem: `runId`, `file`, `line`, `kind`, `severity`, `message`, `sentBack` (`true`: the agent was asked to mend it; `false`: it is published).',
  'run.ended':
    'A run ended: `runId`, `number`, `outcome`, `code`, `sentence`, `commit`, `tokensIn`, `tokensCached`, `tokensOut`.',
  'pull_request.opened': 'The pull request was opened: `runId`, `number`, `url`, `title`.',
  'pull_request.updated': 'A run updated the pull request: `runId`, `number`, `url`, `title`.',
  'job.completed': 'The job is completed: `runId`.',
  'job.failed': 'The job failed: `runId`, `code`, `sentence`.',
  'job.archived': 'The job was archived: `reason`.',
  'job.unarchived': 'The job is open again.',
};

const isEventType = (type: string): type is EventType => type in meanings;

const eventSchema = z
  .object({
    seq: z.int().min(1).meta({ description: 'Counts the events of a job from 1, without gaps.', example: 7 }),
    type: z.enum(Object.keys(meanings).filter(isEventType)).meta({
      description: Object.entries(meanings)
        .map(([type, meaning]) => `\`${type}\`: ${meaning}`)
        .join('\n\n'),
    }),
    at: timeSchema,
    data: z.looseObject({}).meta({ description: 'Depends on `type`. New members may be added.' }),
  })
  .meta({ id: 'Event' });

export const eventsSchema = z
  .object({
    events: z.array(eventSchema).meta({ description: 'Oldest first.' }),
    next: z.int().min(0).meta({ description: 'Pass it as `after` to get what follows.', example: 7 }),
  })
  .meta({ id: 'Events' });

export const toEventResource = ({ seq, type, at, data }: StoredEvent): z.infer<typeof eventSchema> => ({
  seq,
  type,
  at: at.toISOString(),
  data: { ...data },
});
