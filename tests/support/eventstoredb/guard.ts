import type { Metadata, UntypedServiceImplementation } from '@grpc/grpc-js';
import { rejections } from './rejections.ts';

type AnyCall = { metadata: Metadata; emit(event: 'error', error: unknown): boolean };
type AnyHandler = (call: AnyCall, callback?: (error: unknown, value: null) => void) => void;

/** Lets known users through. Others get the error that the server gives. */
export function guarded(
  calls: UntypedServiceImplementation,
  users: Readonly<Record<string, string>>,
): UntypedServiceImplementation {
  const known = Object.entries(users).map(([name, password]) => `Basic ${btoa(`${name}:${password}`)}`);
  return Object.fromEntries(
    Object.entries(calls).map(([name, handler]) => [
      name,
      ((call, callback) => {
        if (known.includes(String(call.metadata.get('authorization')[0])))
          return (handler as AnyHandler)(call, callback);
        if (callback) callback(rejections.unauthenticated, null);
        else call.emit('error', rejections.unauthenticated);
      }) satisfies AnyHandler as never,
    ]),
  );
}
