/** The kinds of aggregate. A category has no dash: the category is what precedes the first one. */
export const categories = [
  'job',
  'business',
  'registration',
  'account',
  'enquiryForm',
  'demo',
  'erasure',
] as const;
export type Category = (typeof categories)[number];

/** `category-id`, for example `job-0198c0de-…`. Holds no personal data. */
export type StreamName = `${Category}-${string}`;

const ID = /^[A-Za-z0-9][A-Za-z0-9-]{0,99}$/;

/** Whether a stream may have this id: letters, digits and dashes, a hundred at most. */
export const isStreamId = (id: string): boolean => ID.test(id);

/** Builds a stream's name. Throws RangeError when the id is not one of ours (letters, digits, dashes). */
export function streamName(category: Category, id: string): StreamName {
  if (!isStreamId(id)) throw new RangeError('not a stream id');
  return `${category}-${id}`;
}

/** Takes a stream's name apart. Throws RangeError on a name this product never writes. */
export function parseStreamName(stream: string): { category: Category; id: string } {
  const dash = stream.indexOf('-');
  const category = categories.find((known) => known === stream.slice(0, dash));
  const id = stream.slice(dash + 1);
  if (!category || !isStreamId(id)) throw new RangeError('not a stream name');
  return { category, id };
}
