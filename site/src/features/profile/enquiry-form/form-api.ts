import { request } from '#site/lib/http/api.ts';
import type { AnswerOf } from '#site/lib/http/operations.ts';

/** A question of the form as its owner sees it. */
export type Question = AnswerOf<'GET', '/form'>['form']['questions'][number];

/** A trade of the business. */
export type FormTrade = AnswerOf<'GET', '/settings/trades'>['trades'][number];

export type NewQuestion = Readonly<{ trade: string; question: string; seq: number }>;

export async function fetchQuestions(signal: AbortSignal): Promise<readonly Question[]> {
  const { form } = await request('GET', '/form', { signal });
  return form.questions;
}

/** The trades of the business; the first is the one to begin with. */
export async function fetchTrades(signal: AbortSignal): Promise<readonly FormTrade[]> {
  const { trades } = await request('GET', '/settings/trades', { signal });
  return trades;
}

/** Asks a question of customers, or no longer; all questions come back as they are saved. */
export async function tickQuestion(id: string, enabled: boolean): Promise<readonly Question[]> {
  const { form } = await request('PUT', '/form', { body: { questions: [{ id, enabled }] } });
  return form.questions;
}

/** Adds a question. The same `key` again adds nothing. */
export async function addQuestion(question: NewQuestion, key: string): Promise<void> {
  await request('POST', '/form', { body: question, headers: { 'idempotency-key': key } });
}
