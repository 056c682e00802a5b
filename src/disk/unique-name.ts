const dayMs = 24 * 60 * 60 * 1000;
const shape = String.raw`(\d{13})-[0-9a-f]{8}`;
const somewhere = new RegExp(shape);
const atTheEnd = new RegExp(`${shape}$`);

/** A name that nobody else makes and that tells when it was made. */
export const uniqueName = (): string => `${Date.now()}-${crypto.randomUUID().slice(0, 8)}`;

/** Whether a name ends with a `uniqueName`: one that does not was made by somebody else. */
export const hasUniqueEnd = (name: string): boolean => atTheEnd.test(name);

/** Whether a path with a `uniqueName` in it was made more than a day ago: no run lasts that long. */
export function isOlderThanADay(path: string): boolean {
  const madeAt = somewhere.exec(path)?.[1];
  return madeAt !== undefined && Number(madeAt) < Date.now() - dayMs;
}
