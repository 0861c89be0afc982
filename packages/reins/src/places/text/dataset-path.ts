/** Whether a name is that of a JSON Lines file. */
export const isDatasetPath = (name: string): boolean => /\.jsonl$/i.test(name);
