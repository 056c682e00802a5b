/** The samples of an exposition by name and sorted labels. Throws on an invalid line. */
export function readSamples(text: string): Map<string, number> {
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    samples.map((line) => {
      const [, name = '', labels = '', value = ''] =
        /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? ([-+0-9.eE]+|\+Inf|Nan)$/.exec(line) ?? [];
      if (name === '') throw new Error(`no sample: ${line}`);
      const pairs = [...labels.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)].map(([pair]) => pair).toSorted();
      return [pairs.length > 0 ? `${name}{${pairs.join(',')}}` : name, Number(value)];
    }),
  );
}

export const fetchSamples = async (url: string) => readSamples(await (await fetch(`${url}/metrics`)).text());
