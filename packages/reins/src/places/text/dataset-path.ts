/** Whether a word names a file of problems. */
export const isDatasetPath = (name: string): boolean => /\.jsonl$/i.test(name);
