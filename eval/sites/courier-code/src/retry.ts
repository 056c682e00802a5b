/** 2, 4, 8, … seconds. */
export const waitSeconds = (attempt: number): number => 2 ** attempt;
