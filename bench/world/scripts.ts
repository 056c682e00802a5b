import { call } from '../../harness/script-steps.ts';
import { type Script, steps } from '../../local/model/script.ts';

export const writeFile = (path: string, content: string): Script =>
  steps([call('write_file', { path, content }), call('finish', { summary: 'It is written.', title: `Write ${path}` })]);

export const leaveIt: Script = () => call('finish', { summary: 'Nothing needs to change.' });

export const firstThen =
  (first: Script, later: Script): Script =>
  (request) =>
    (request.messages[0]?.text.includes('<earlier-run ') ? later : first)(request);

export const perRunWriting: Script = (request) => {
  const runs = request.messages[0]?.text.match(/<earlier-run /g)?.length ?? 0;
  return writeFile(`page-${runs}.md`, `Page ${runs}.\n`)(request);
};
