import { ProviderError } from './fetch-json.ts';

/** No provider will ever take this message: trying again is of no use. */
export class MessageRefusedError extends ProviderError {}
