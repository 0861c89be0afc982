/** What `config.json` of a Hugging Face folder says; other fields are kept as they are. */
export interface HubConfig {
  readonly model_type: string;
  readonly [field: string]: unknown;
}
