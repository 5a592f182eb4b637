import { ProviderError } from '#api/providers/http-client.ts';
import {
  EventStoreUnavailableError,
  UnstorableEventError,
  WrongExpectedRevisionError,
} from '#core/event-store/errors.ts';
import {
  ConflictError,
  DomainError,
  IllegalTransitionError,
  InvalidInputError,
  NotFoundError,
} from '#core/kernel/errors.ts';
import { isOutage } from '#core/postgres/outage.ts';
import { badRequest, HttpError, invalid, notFound, unavailable } from './http-errors.ts';

/** The answer to anything that was thrown. The one place where a domain error gets its HTTP status. */
export function httpErrorFor(error: unknown, code: string | number = 'UNKNOWN'): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof DomainError) return domainError(error);
  if (error instanceof WrongExpectedRevisionError) {
    return new HttpError(409, 'This was changed by somebody else just now, please try again');
  }
  if (error instanceof UnstorableEventError) {
    return new HttpError(422, 'Some of the text cannot be stored, please check what you entered');
  }
  if (error instanceof EventStoreUnavailableError || error instanceof ProviderError || isOutage(error)) {
    return unavailable();
  }
  if (code === 'NOT_FOUND') return notFound();
  if (code === 'PARSE' || code === 'INVALID_COOKIE_SIGNATURE')
    return badRequest('The request cannot be read');
  return new HttpError(500, 'An error has occurred, please try again later');
}

function domainError(error: DomainError): HttpError {
  if (error instanceof NotFoundError) return notFound();
  if (error instanceof InvalidInputError) return invalid(error.fields, error.message);
  if (error instanceof IllegalTransitionError || error instanceof ConflictError) {
    return new HttpError(409, error.message);
  }
  return new HttpError(409, 'This is not possible just now');
}
