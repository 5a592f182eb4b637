import type { RegisterSettings } from '#api/config/business-register.ts';
import type { Region } from '#core/values/region.ts';
import { abrRegister } from './abr.ts';
import type { BusinessRegister } from './business-register.ts';
import { cachedRegister } from './cached.ts';
import { nzbnRegister } from './nzbn.ts';
import { sandboxRegister } from './sandbox/sandbox.ts';

/** The register of each country, as the environment asks for it; invented businesses where it asks for none. */
export function configuredRegisters({
  au,
  nz,
}: RegisterSettings): Readonly<Record<Region, BusinessRegister>> {
  const clock = () => performance.now();
  return {
    au: au.provider === 'abr' ? cachedRegister(abrRegister(au), clock) : sandboxRegister('au'),
    nz: nz.provider === 'nzbn' ? cachedRegister(nzbnRegister(nz), clock) : sandboxRegister('nz'),
  };
}
