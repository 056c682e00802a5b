import { stripTypeScriptTypes } from 'node:module';
import vm from 'node:vm';

/** What a configuration comes to when it runs. */
export interface Evaluated {
  /** All of it but the data of containers; functions by their text. */
  rest: unknown;
  /** What it called and read on the way. */
  effects: string[];
  /** What containers hold beside data. */
  code: string[];
}

/** Where containers stand in the evaluated configuration. `*` is each item; functions are called. */
const containers: Record<string, readonly string[]> = {
  'docs/.vitepress/config.mts': ['themeConfig.nav', 'themeConfig.sidebar', 'themeConfig.footer', 'rewrites'],
  'website/docusaurus.config.ts': ['themeConfig.navbar.items', 'themeConfig.footer.links', 'plugins.0.1.redirects'],
  'website/sidebars.ts': [''],
  'starlight/astro.config.mjs': ['integrations.0.sidebar', 'redirects'],
  'next/next.config.mjs': ['redirects()', 'rewrites()'],
};

/** Runs a configuration in a sandbox in which every import is a stub that notes its use. */
export async function evaluateConfig(path: string, text: string): Promise<Evaluated> {
  const effects: string[] = [];
  const source = stripTypeScriptTypes(text)
    .replace(
      /^import (\w+|\{[^}]*\}) from '([^']+)'(?: with \{[^}]*\})?[^\n]*$/gm,
      (_, names: string, from: string) => `const ${names} = stub('${from}');`,
    )
    .replace('export default', 'module.exports =');
  const context = vm.createContext({
    module: { exports: {} },
    stub: (name: string) => createStub(name, effects),
    process: { env: new Proxy({}, { get: (_, key) => void effects.push(`reads ${String(key)}`) }) },
  });
  vm.runInContext(source, context, { timeout: 1_000 });
  const code: string[] = [];
  const take = (value: unknown): unknown => {
    code.push(...listCode(value));
    return 'a container';
  };
  const root: unknown = vm.runInContext('module.exports', context);
  const functions: Promise<unknown>[] = [];
  const rest = (containers[path] ?? []).reduce(
    (value, at) => cut(value, at === '' ? [] : at.split('.'), take, functions),
    copy(root),
  );
  await Promise.all(functions);
  return { rest: show(rest), effects, code };
}

/** A function and an object at once; a call gives back the object that it gets. */
function createStub(name: string, effects: string[]): unknown {
  return new Proxy(() => undefined, {
    get(_, key) {
      if (key === Symbol.toPrimitive) return () => `stub ${name}`;
      if (key === Symbol.iterator) return () => [createStub(`each of ${name}`, effects)].values();
      return typeof key === 'symbol' ? undefined : createStub(`${name}.${key}`, effects);
    },
    apply(_, __, values: unknown[]) {
      effects.push(`calls ${name}`);
      const given = values.find((value) => typeof value === 'object');
      // Its result is a function.
      return given === undefined || name === 'nextra' ? createStub(`${name}()`, effects) : given;
    },
  });
}

const isMap = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Objects of the sandbox as objects of this realm. */
function copy(value: unknown): unknown {
  if (Array.isArray(value)) return Array.from(value, copy);
  return isMap(value) ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copy(inner)])) : value;
}

function cut(
  value: unknown,
  [name, ...rest]: string[],
  take: (value: unknown) => unknown,
  functions: Promise<unknown>[],
): unknown {
  if (name === undefined) return take(value);
  const key = name.replace('()', '');
  if (!isMap(value) || !(key in value)) return value;
  const inner = value[key];
  if (name !== key && typeof inner === 'function') {
    functions.push(Promise.resolve(inner()).then((result) => take(copy(result))));
    return { ...value, [key]: 'a function' };
  }
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === key ? cut(item, rest, take, functions) : item));
  const { [key]: found, ...others } = value;
  const left = cut(found, rest, take, functions);
  return left === 'a container' ? others : { ...others, [key]: left };
}

function listCode(value: unknown): string[] {
  if (typeof value === 'function') return [showFunction(value)];
  if (typeof value === 'symbol' || typeof value === 'bigint' || value === undefined) return [typeof value];
  return isMap(value) ? Object.values(value).flatMap(listCode) : [];
}

/** Its words: comments and the layout may change. */
const showFunction = (value: unknown): string =>
  `function ${String(value).replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|[\s;,"'`]/g, '')}`;

/** Functions by their text. */
function show(value: unknown): unknown {
  if (typeof value === 'function') return showFunction(value);
  if (Array.isArray(value)) return value.map(show);
  return isMap(value) ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, show(inner)])) : value;
}
