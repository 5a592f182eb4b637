import type { AssistantSettings } from '#api/config/assistant.ts';
import type { Assistant } from './assistant.ts';
import { embeddedAssistant } from './embedded.ts';
import { modelAssistant } from './model/model-assistant.ts';

/** The assistant that the environment asks for; without a word of it the embedded one. */
export function configuredAssistant(settings: AssistantSettings): Assistant {
  return settings.provider === 'model' ? modelAssistant(settings) : embeddedAssistant;
}
