import { expect, test } from 'vitest';
import { isMadeByCode } from '../../../src/docs/formats/javascript.ts';

test.each<[text: string, isCode: boolean]>([
  ["export default { redirects: { '/a': '/b' } }", false],
  ["const list = [{ from: '/a', to: '/b' }]; export default { redirects: list }", false],
  ['const list = [1]; const all = [...list]; export default { async redirects() { return all } }', false],
  ["export default { redirects: async () => [{ source: '/a', destination: '/b', permanent: true }] }", false],
  ['const config: Config = { a: f() }; export default { ...config, title: g() }', false],
  ["import list from './list'; export default { redirects: list }", true],
  ['const list = [1]; export default { redirects: [...list.map((x) => x)] }', true],
  ["export default { redirects: async () => load('x') }", true],
  ['export default { redirects(path) { return [path] } }', true],
  ['const a = b; const b = a; export default { redirects: a }', true],
  ['export default { redirects: [ }', false],
])('whether code makes redirects: %s', (text, isCode) => {
  expect(isMadeByCode(text, 'redirects')).toBe(isCode);
});
