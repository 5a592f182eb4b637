import type { RegisterSettings } from '#api/runtime/config/business-register.ts';
import type { Region } from '#core/values/region.ts';
import { abrRegister } from './abr.ts';
import type { BusinessRegister } from './business-register.ts';
import { cachedRegister } from './cached.ts';
import { nzbnRegister } from './nzbn.ts';
import { sandboxRegister } from './sandbox/sandbox.ts';

type Registers = Readonly<Record<Region, BusinessRegister>>;

const opened = new WeakMap<RegisterSettings, Registers>();

/** The register of each country, as the environment asks for it; invented businesses where it asks for none. */
export function configuredRegisters(settings: RegisterSettings): Registers {
  // One for all who ask, so that what one of them found is remembered for the others.
  const registers = opened.get(settings) ?? open(settings);
  opened.set(settings, registers);
  return registers;
}

function open({ au, nz }: RegisterSettings): Registers {
  const clock = () => performance.now();
  return {
    au: au.provider === 'abr' ? cachedRegister(abrRegister(au), clock) : sandboxRegister('au'),
    nz: nz.provider === 'nzbn' ? cachedRegister(nzbnRegister(nz), clock) : sandboxRegister('nz'),
  };
}
