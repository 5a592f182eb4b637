import { type } from 'arktype';
import {
  answerLimits,
  malformedMessage,
  notPlainTextMessage,
  tooLongMessage,
  validateJobRequest,
} from '#core/values/job-request.ts';
import { isWellFormed } from '#core/values/text.ts';

const Given = type({ '+': 'reject', questionId: '1 <= string <= 100', answer: 'string' }).narrow(
  ({ questionId, answer }, ctx) => {
    if (!isWellFormed(questionId + answer))
      return ctx.reject({ relativePath: ['answer'], message: notPlainTextMessage });
    if (answer.trim().length <= answerLimits.length) return true;
    return ctx.reject({ relativePath: ['answer'], message: tooLongMessage(answerLimits.length) });
  },
);

/**
 * The body of `POST /public-forms/{slug}/jobs`. Closed: a field that is not listed here is refused, so nobody sends
 * a status, an id or a business of their own. `lat`, `lng` in degrees; `media` are ids of files that were uploaded
 * before; `website` is a trap that people leave empty.
 */
export const JobRequest = type({
  '+': 'reject',
  name: 'string',
  email: 'string',
  phone: 'string',
  address: 'string',
  title: 'string',
  'description?': 'string',
  'wishedTime?': 'string',
  'isUrgent?': 'boolean',
  'placeId?': 'string <= 300 | null',
  'lat?': '-90 <= number <= 90 | null',
  'lng?': '-180 <= number <= 180 | null',
  'answers?': Given.array().atMostLength(answerLimits.count),
  'media?': type('string <= 100').array().atMostLength(20),
  'website?': 'string <= 300',
})
  .configure({ message: () => malformedMessage }, 'references')
  .narrow((request, ctx) => {
    for (const [field, message] of Object.entries(validateJobRequest(request))) {
      ctx.error({ path: [field], message });
    }
    return !ctx.hasError();
  });
export type JobRequest = typeof JobRequest.infer;
