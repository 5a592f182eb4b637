import type { AssistantSettings } from '#api/runtime/config/providers.ts';
import type { Assistant } from './assistant.ts';

/** The assistant that the environment asks for; without a word of it the embedded one. */
export function configuredAssistant(settings: AssistantSettings): Assistant {
  // Loading one takes 100 to 300 ms and 10 to 70 MB: at the first question, and of two only the one that is asked.
  const open = async () =>
    settings.provider === 'embedded'
      ? (await import('./embedded/embedded.ts')).embeddedAssistant
      : (await import('./model/model-assistant.ts')).modelAssistant(settings);
  let opened: Promise<Assistant> | undefined;
  return {
    async *reply(...asked) {
      opened ??= open();
      yield* (await opened).reply(...asked);
    },
  };
}
