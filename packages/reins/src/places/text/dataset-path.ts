/** Whether a name is that of a file of examples: JSON Lines or Parquet. */
export const isExamplesPath = (name: string): boolean => /\.(jsonl|parquet)$/i.test(name);
/** Whether a name is that of a JSON Lines file. */
export const isDatasetPath = (name: string): boolean => /\.jsonl$/i.test(name);
