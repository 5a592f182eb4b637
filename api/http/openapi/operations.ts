import { businessOperations } from './business-operations.ts';
import type { OperationText } from './operation-text.ts';
import { publicOperations } from './public-operations.ts';

/** Every operation of the API in words, by method and template, such as `GET /api/jobs/:id`. */
export const operationTexts: Readonly<Record<string, OperationText>> = Object.fromEntries(
  Object.entries({ ...businessOperations, ...publicOperations }).flatMap(([tag, rows]) =>
    Object.entries(rows).map(([operation, [operationId, summary, access, more]]) => [
      operation,
      { tag, operationId, summary, access, ...more },
    ]),
  ),
);
