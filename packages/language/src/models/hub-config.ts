/** The `config.json` of a Hugging Face folder; other fields are preserved. */
export interface HubConfig {
  readonly model_type: string;
  readonly [field: string]: unknown;
}
