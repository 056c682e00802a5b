import type { Examined } from '../../health/examine.ts';

const names: Record<string, string> = {
  clock: 'Clock',
  configuration: 'Configuration',
  context: 'Context repositories',
  data_dir: 'Data directory',
  database: 'Database',
  database_disk: 'Disk of the database',
  embedded_database: 'Embedded database',
  git: 'git',
  github_app: 'GitHub App',
  github_permissions: 'Permissions on GitHub',
  installations: 'Installations',
  model: 'Model server',
  node: 'Node',
  outbound: 'Way to the internet',
  public_url: 'Public address',
  secret_files: 'Files with secrets',
  sign_in: 'Sign-in',
  webhooks: 'Webhooks from GitHub',
};

/** A part of the doctor or of the health check, in words. */
export const namePart = (part: string): string => names[part] ?? part.replaceAll('_', ' ');

const states = ['broken', 'warning', 'ok'];

/** The findings of the doctor, the broken ones first, and a summary. */
export function summarizeFindings(examined: readonly Examined[]): { worstFirst: Examined[]; summary: string } {
  const worstFirst = examined.toSorted((a, b) => states.indexOf(a.state) - states.indexOf(b.state));
  const wrong = examined.filter(({ state }) => state !== 'ok').length;
  if (wrong === 0) return { worstFirst, summary: 'Everything that Pagewright needs works.' };
  return { worstFirst, summary: `${wrong === 1 ? 'One finding needs' : `${wrong} findings need`} your attention.` };
}
