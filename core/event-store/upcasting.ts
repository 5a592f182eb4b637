import { type } from 'arktype';
import type { EventVersion } from '#core/kernel/event-declaration.ts';

/** Why a stored event cannot be read. The message never tells what stands in it. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
}

/** The version that an event was stored with. */
export function versionAt(versions: readonly EventVersion[], number: number): EventVersion {
  const version = versions[number - 1];
  if (!version) throw new UnreadableError('unknown version of its type');
  return version;
}

/** Data of version `number` (1-based), step by step in the shape of the newest; checked against every schema on the way. */
export function upcast(versions: readonly EventVersion[], number: number, data: object): object {
  const version = versionAt(versions, number);
  const result = version.schema(data);
  if (result instanceof type.errors)
    throw new UnreadableError(`does not fit version ${number} of its schema`);
  if (number === versions.length) return result;
  if (!version.upcast) throw new UnreadableError(`no way on from version ${number}`);
  return upcast(versions, number + 1, version.upcast(result as Record<string, unknown>));
}
