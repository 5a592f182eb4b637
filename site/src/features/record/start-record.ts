import { openAddress } from './address-store.ts';

openAddress(location);
