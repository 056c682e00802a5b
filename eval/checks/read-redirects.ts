import { parse } from 'yaml';
import { z } from 'zod';
import { readScript } from '../../src/docs/formats/javascript.ts';
import type { Files } from './outcome.ts';

const pair = z.object({ source: z.string(), destination: z.string() });
const mintlify = z.object({ redirects: z.array(pair).default([]) });
const gitbook = z.object({ redirects: z.record(z.string(), z.string()).nullish() });
const mkdocs = z.object({ plugins: z.array(z.unknown()) });
const redirectPlugin = z.object({ redirects: z.object({ redirect_maps: z.record(z.string(), z.string()) }) });

/** The redirects of a site, as its framework reads them. Empty for a file that does not parse. */
export function readRedirects(files: Files): Map<string, string> {
  const read = (path: string) => files.get(path) ?? '';
  const plugins = mkdocs.safeParse(tryParse(read('mkdocs.yml'))).data?.plugins ?? [];
  const pairs = [
    ...(mintlify.safeParse(tryParse(read('docs.json'))).data?.redirects ?? []).map(
      ({ source, destination }) => [source, destination] as const,
    ),
    ...Object.entries(gitbook.safeParse(tryParse(read('.gitbook.yaml'))).data?.redirects ?? {}),
    ...plugins.flatMap((plugin) =>
      Object.entries(redirectPlugin.safeParse(plugin).data?.redirects.redirect_maps ?? {}),
    ),
    ...readCode(read('next.config.mjs')),
  ];
  return new Map(pairs);
}

function readCode(text: string): [string, string][] {
  const literals = readScript(text).strings;
  const valuesOf = (key: string) => literals.filter(({ keys }) => keys.at(-1) === key).map(({ value }) => value);
  const destinations = valuesOf('destination');
  return valuesOf('source').map((source, index) => [source, destinations[index] ?? '']);
}

/** JSON is YAML. */
function tryParse(text: string): unknown {
  try {
    return parse(text, { logLevel: 'silent' });
  } catch {
    return undefined;
  }
}
