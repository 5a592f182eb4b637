import { type } from 'arktype';

/** A parameter of any text, and what it is for. */
export function textParameter(description: string, example?: string) {
  return type('string').configure({ description, ...(example === undefined ? {} : { examples: [example] }) });
}

/** A whole number from 1 to `most`, as it is typed. `message` is for the person whose number is none. */
export function countParameter(most: number, message: string) {
  const isCount = (text: string) => /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= most;
  return type('string')
    .narrow((text, ctx) => isCount(text) || ctx.reject({ message }))
    .pipe(Number, type(`1 <= number.integer <= ${most}`));
}
