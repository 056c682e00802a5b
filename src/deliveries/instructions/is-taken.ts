import { readStoredSettings } from '../../repository/read-stored-settings.ts';
import type { Project } from '../../store/tables/projects.ts';
import type { ReadComment } from '../../text/read-comment.ts';

/** Whether the repository's settings let this comment be an instruction. A stop is taken whatever they say. */
export function isTaken(read: ReadComment, { settings }: Pick<Project, 'settings'>): boolean {
  const { comments } = readStoredSettings(settings);
  if (read.kind === 'stop') return true;
  return read.kind === 'instruction' && (comments === 'all' || (comments === 'mention' && read.isMention));
}
