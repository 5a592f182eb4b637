/** Why an answer did not come to its end; `message` is for the tradie, `reason` for the log. */
export class AssistantError extends Error {
  override readonly name = 'AssistantError';
  constructor(
    readonly reason: 'busy' | 'late' | 'refused' | 'unavailable' | 'malformed' | 'cut',
    message: string,
    readonly status?: number,
  ) {
    super(message);
  }
}
