/**
 * What every refusal is called in `code`, whatever its words say: who reads an answer decides by it. Its status, and what it means.
 * A code that was published stays.
 */
export const errorCodes = {
  malformed: [400, 'The request cannot be read'],
  'bot-check-needed': [400, 'The same request again with a ticket of the bot check in `botCheck`'],
  'bot-check-failed': [400, 'The bot check is missing, wrong, used or too old: make another one'],
  'bot-check-too-quick': [400, 'Sent faster than a person types: make another bot check'],
  'not-a-mobile': [400, 'The number is no mobile of the country'],
  'mobile-verified': [400, 'The mobile number is verified already'],
  'wrong-code': [400, 'The code of an SMS is wrong or over'],
  'no-code-sent': [400, 'No code goes to this number just now'],
  'wrong-credentials': [401, 'The proof that this operation asks for is missing or wrong'],
  'session-timed-out': [403, 'There is no living session'],
  'not-found': [404, 'Unknown, or of another business'],
  'wrong-method': [405, 'There is no such operation at this address'],
  'too-slow': [408, 'The body took too long to arrive'],
  'not-possible': [409, 'What is stored does not allow it'],
  'changed-meanwhile': [409, 'It was changed meanwhile: read it anew'],
  taken: [409, 'The email, the mobile number or the public address belongs to another account'],
  unfinished: [409, '`step` of the registration is still open'],
  'too-long': [413, 'The body is too long'],
  'wrong-content-type': [415, 'The body has another content type'],
  invalid: [422, 'A value breaks a rule; `fields` says which'],
  'link-over': [422, 'The link of a mail has expired or was used'],
  'too-many': [429, 'Too many requests'],
  failure: [500, 'A failure of the server'],
  unavailable: [503, 'Something is unavailable'],
} as const satisfies Readonly<Record<string, readonly [status: number, meaning: string]>>;

export type ErrorCode = keyof typeof errorCodes;
