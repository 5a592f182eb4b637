import { request } from '#site/lib/http/api.ts';

/** A question of the form as its owner sees it. */
export type Question = Readonly<{
  id: string;
  title: string;
  description: string | null;
  enabled: boolean;
  /** Always asked: it cannot be turned off. */
  necessary: boolean;
  /** The business, where it thought of the question itself. */
  tradie: string | null;
  trade: Readonly<{ id: string }> | null;
  /** Its place within its trade. */
  seq: number;
  kind: 'text' | 'long-text' | 'number' | 'choice';
  options: readonly string[];
  /** The customer's page has an input of its own for it. */
  builtIn: boolean;
}>;

/** A trade of the business. */
export type FormTrade = Readonly<{ id: string; name: string }>;

export type NewQuestion = Readonly<{ trade: string; question: string; seq: number }>;

export async function fetchQuestions(signal: AbortSignal): Promise<readonly Question[]> {
  const { form } = await request<FormAnswer>('GET', '/form', { signal });
  return form.questions;
}

/** The trades of the business; the first is the one to begin with. */
export async function fetchTrades(signal: AbortSignal): Promise<readonly FormTrade[]> {
  const { trades } = await request<{ trades: readonly FormTrade[] }>('GET', '/settings/trades', { signal });
  return trades;
}

/** Asks a question of customers, or no longer; all questions come back as they are saved. */
export async function tickQuestion(id: string, enabled: boolean): Promise<readonly Question[]> {
  const { form } = await request<FormAnswer>('PUT', '/form', { body: { questions: [{ id, enabled }] } });
  return form.questions;
}

/** Adds a question. The same `key` again adds nothing. */
export async function addQuestion(question: NewQuestion, key: string): Promise<void> {
  await request('POST', '/form', { body: question, headers: { 'idempotency-key': key } });
}

type FormAnswer = Readonly<{ form: Readonly<{ questions: readonly Question[] }> }>;
