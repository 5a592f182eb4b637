import { type } from 'arktype';
import {
  answerLimits,
  jobRequestFields,
  malformedMessage,
  notPlainTextMessage,
  validateJobRequest,
} from '#core/values/job-form.ts';
import { placeFields, pointProblems } from '#core/values/place.ts';
import { countCharacters, isWellFormed, severalLines, tooLongMessage } from '#core/values/text.ts';
import { mediaUpload } from '#core/values/uploads.ts';

const Given = type({ '+': 'reject', questionId: '1 <= string <= 100', answer: 'string' }).narrow(
  ({ questionId, answer }, ctx) => {
    if (!isWellFormed(questionId + answer))
      return ctx.reject({ relativePath: ['answer'], message: notPlainTextMessage });
    if (countCharacters(severalLines(answer).trim()) <= answerLimits.length) return true;
    return ctx.reject({ relativePath: ['answer'], message: tooLongMessage(answerLimits.length) });
  },
);

/**
 * The body of `POST /public-forms/{slug}/jobs`. Closed: a field that is not listed here is refused, so a request cannot
 * carry a status, an id or a business. `lat`, `lng` in degrees; `media` are ids of files that were uploaded
 * before, `unsentFiles` how many more could not go up; `website` is a trap that people leave empty.
 */
export const JobRequest = type({
  '+': 'reject',
  ...jobRequestFields,
  'isUrgent?': 'boolean',
  ...placeFields,
  'answers?': Given.array().atMostLength(answerLimits.count),
  'media?': type('string <= 100').array().atMostLength(20),
  'unsentFiles?': `0 <= number.integer <= ${mediaUpload.files}`,
  'website?': 'string <= 300',
})
  .configure({ message: () => malformedMessage }, 'references')
  .narrow((request, ctx) => {
    const problems = { ...validateJobRequest(request, null), ...pointProblems(request) };
    for (const [field, message] of Object.entries(problems)) {
      ctx.error({ path: [field], message });
    }
    return !ctx.hasError();
  });
export type JobRequest = typeof JobRequest.infer;
