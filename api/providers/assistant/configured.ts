import type { AssistantSettings } from '#api/runtime/config/assistant.ts';
import type { Assistant } from './assistant.ts';
import { embeddedAssistant } from './embedded.ts';

/** The assistant that the environment asks for; without a word of it the embedded one. */
export function configuredAssistant(settings: AssistantSettings): Assistant {
  if (settings.provider === 'embedded') return embeddedAssistant;
  // The SDK behind it costs a third of a second and 70 MB: at the first question, and never without one.
  let opened: Promise<Assistant> | undefined;
  return {
    async *reply(...asked) {
      opened ??= import('./model/model-assistant.ts').then(({ modelAssistant }) => modelAssistant(settings));
      yield* (await opened).reply(...asked);
    },
  };
}
