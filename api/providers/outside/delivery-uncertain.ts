import { ProviderError } from './fetch-json.ts';

/** A provider had the whole message and has not said whether it took it: it may be out. */
export class DeliveryUncertainError extends ProviderError {}
