import type { Framework, Marker } from './framework.ts';
import { frameworks } from './frameworks.ts';

/** A file or folder that marks a root. */
export interface MarkedRoot {
  framework: Framework;
  marker: Marker;
  /** The folder that it marks, as written, without a slash at the end. */
  root: string;
  /** The path that was asked about. */
  path: string;
}

interface CompiledMarker {
  framework: Framework;
  marker: Marker;
  /** Of the last name, or of the folder's name. */
  name: RegExp;
  /** How many names of a path the marker takes. */
  depth: number;
  /** The folders between the root and the marker, each with a slash. */
  under: string;
}

const compile = (framework: Framework, marker: Marker): CompiledMarker => {
  const names = marker.path.replace(/\/$/, '').split('/');
  const under = names.slice(0, -1).map((name) => `${name}/`);
  const pattern = (names.at(-1) ?? '').split('*').map(RegExp.escape).join('[^/]*');
  return { framework, marker, name: new RegExp(`^${pattern}$`), depth: names.length, under: under.join('') };
};

const compiled = frameworks.flatMap((framework) => framework.markers.map((marker) => compile(framework, marker)));
const files = compiled.filter(({ marker }) => !marker.path.endsWith('/'));
const folders = compiled.filter(({ marker }) => marker.path.endsWith('/'));
const anyFile = new RegExp(files.map(({ name }) => name.source).join('|'));
const anyFolder = new RegExp(`(?:^|/)(?:${folders.map(({ name }) => name.source.slice(1, -1)).join('|')})/`);
const installed = /(?:^|\/)node_modules\//;

/** What a path of a repository marks, in any letter case. Whether the marker's file holds what it must is for the caller to ask. */
export function findMarked(path: string): MarkedRoot[] {
  const lower = path.toLowerCase();
  const last = lower.slice(lower.lastIndexOf('/') + 1);
  const isFile = anyFile.test(last);
  if (!isFile && !anyFolder.test(lower)) return [];
  if (installed.test(lower)) return [];
  const names = path.split('/');
  const found = isFile ? findAt(files, names, names.length) : [];
  for (let end = 1; end < names.length; end += 1) found.push(...findAt(folders, names, end));
  return found.map((one) => ({ ...one, path }));
}

/** The markers that end at a name of the path, from 1. */
function findAt(markers: readonly CompiledMarker[], names: readonly string[], end: number) {
  const name = (names[end - 1] ?? '').toLowerCase();
  return markers.flatMap(({ framework, marker, name: pattern, depth, under }) => {
    if (!pattern.test(name) || depth > end) return [];
    const between = names.slice(end - depth, end - 1).map((each) => `${each.toLowerCase()}/`);
    return between.join('') === under ? [{ framework, marker, root: names.slice(0, end - depth).join('/') }] : [];
  });
}
