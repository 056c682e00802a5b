import { readYaml, textOf } from '../../formats/yaml.ts';
import { type FileTree, folderOf, isBelow, joinPath, relativeTo } from '../../tree.ts';

/** The folders of component versions in the repository, by name. One of several versions counts as unknown. */
type Components = ReadonlyMap<string, string | undefined>;

interface Resource {
  version: string | undefined;
  component: string | undefined;
  module: string | undefined;
  family: string;
  path: string;
}

const folders = new Map([
  ['page', ['pages']],
  ['partial', ['partials']],
  ['example', ['examples']],
  ['image', ['images', 'assets/images']],
  ['attachment', ['attachments', 'assets/attachments']],
]);

export function listComponents(tree: FileTree): Components {
  const components = new Map<string, string | undefined>();
  for (const file of tree.named(['antora.yml'])) {
    const name = textOf(readYaml(tree.read(file) ?? '').document.get('name'));
    if (name !== undefined) components.set(name, components.has(name) ? undefined : folderOf(file));
  }
  return components;
}

/** `version@component:module:family$path`: https://docs.antora.org/antora/latest/page/resource-id-coordinates/ */
export function parseResource(id: string, family: string): Resource {
  const [, version, rest = ''] = /^(?:([^@:$/]*)@)?(.*)$/s.exec(id) ?? [];
  const parts = rest.split(':');
  const last = parts.at(-1) ?? '';
  const [, named, path = ''] = /^(?:(\w+)\$)?(.*)$/s.exec(last) ?? [];
  return {
    version,
    component: parts.length > 2 ? parts[0] : undefined,
    module: parts.length === 1 ? undefined : parts.at(-2) || 'ROOT',
    family: named ?? family,
    path,
  };
}

/** `file`: relative to the page, without a family. Undefined: outside of the repository, or another version. */
export function locateResource(
  components: Components,
  { root, from, version, component, module, family, path }: Resource & { root: string; from: string },
): { paths: string[]; module: string } | undefined {
  const own = moduleOf(root, from);
  if (version !== undefined || path === '') return undefined;
  if (component !== undefined && components.get(component) === undefined) return undefined;
  const base = component === undefined ? root : (components.get(component) ?? root);
  const name = module ?? own;
  if (name === undefined) return undefined;
  const folder = joinPath(base, `modules/${name}`) ?? '';
  const isRelative = family === 'file' || (module === undefined && /^\.{1,2}\//.test(path));
  // https://docs.antora.org/antora/latest/standard-directories/: the older place of images and attachments is `assets`.
  const below = path.replace(/^\//, '');
  const paths = isRelative
    ? [joinPath(folderOf(from), path)]
    : (folders.get(family) ?? [family]).map((name) => joinPath(folder, `${name}/${below}`));
  const found = paths.filter((each) => each !== undefined);
  return found.length === 0 ? undefined : { paths: found, module: folder };
}

const moduleOf = (root: string, path: string): string | undefined =>
  /^modules\/([^/]+)\//.exec(relativeTo(path, root))?.[1];

/** How a resource is named from a page: as before, as far as its module is the same. */
export function spellResource(
  components: Components,
  { root, written, wanted, from }: { root: string; written: string; wanted: string; from: string },
): string[] {
  const [id = '', anchor] = written.split('#', 2);
  const home = [...components.entries()].find(([, folder]) => folder !== undefined && isBelow(wanted, folder));
  const [, module = '', family = '', below = ''] =
    /^modules\/([^/]+)\/(?:assets\/)?([^/]+)\/(.+)$/.exec(relativeTo(wanted, home?.[1] ?? root)) ?? [];
  if (below === '') return [];
  const mark = id.includes('$') ? `${family.replace(/s$/, '')}$` : '';
  const own = moduleOf(root, from);
  const isOther = home !== undefined && home[1] !== root;
  const prefix = isOther
    ? `${home[0]}:${module === 'ROOT' ? '' : module}:`
    : module === own && !id.includes(':')
      ? ''
      : `${module}:`;
  return [`${prefix}${mark}${below}${anchor === undefined ? '' : `#${anchor}`}`];
}
