import { ProviderError } from './fetch-json.ts';

/** A provider had the whole message and has not answered whether it took it: it may be out. */
export class DeliveryUncertainError extends ProviderError {}
