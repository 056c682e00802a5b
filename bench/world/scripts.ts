import { call } from '../../harness/script-steps.ts';
import { type Script, steps } from '../../local/model/script.ts';

/** Writes a file that did not exist, and publishes. */
export const writeFile = (path: string, content: string): Script =>
  steps([call('write_file', { path, content }), call('finish', { summary: 'It is written.', title: `Write ${path}` })]);

/** Changes nothing and says so. */
export const leaveIt: Script = () => call('finish', { summary: 'Nothing needs to change.' });

/** The same script for every run of a job but the first. */
export const firstThen =
  (first: Script, later: Script): Script =>
  (request) =>
    (request.messages[0]?.text.includes('<earlier-run ') ? later : first)(request);

/** Every run writes a page of its own. */
export const perRunWriting: Script = (request) => {
  const runs = request.messages[0]?.text.match(/<earlier-run /g)?.length ?? 0;
  return writeFile(`page-${runs}.md`, `Page ${runs}.\n`)(request);
};
