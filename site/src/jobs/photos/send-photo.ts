import type { JobView } from '#core/job/view.ts';
import { unknownFailure } from '#site/lib/http/api.ts';
import { pathOf } from '../jobs-api.ts';
import type { WaitingPhoto } from './waiting-photos.ts';

/** `lost`: no answer, or only that something is unavailable just now; the photo is sent again after `seconds`. */
export type SentPhoto =
  | Readonly<{ kind: 'ok'; job: JobView }>
  | Readonly<{ kind: 'refused'; message: string }>
  | Readonly<{ kind: 'signed-out' }>
  | Readonly<{ kind: 'lost'; seconds: number | null }>;

/** Half a megabyte over a slow connection, in milliseconds. */
const timeout = 120_000;
/** What another try may help with, besides no answer: a slow body, too many at once, an outage. */
const isTransient = (status: number) => status === 0 || status === 408 || status === 429 || status >= 500;

/** Sends one photo whole; the same again is the same photo. `onSent` gives percent. Only this request can report them, so no fetch. */
export function sendPhoto(
  { photoId, jobId, stage, caption, file }: WaitingPhoto,
  token: string,
  onSent: (percent: number) => void,
): Promise<SentPhoto> {
  return new Promise((resolve) => {
    const sending = new XMLHttpRequest();
    sending.open('PUT', `/api${pathOf(jobId)}/photos/${photoId}?stage=${stage}`);
    sending.setRequestHeader('authorization', `Bearer ${token}`);
    sending.setRequestHeader('content-type', 'application/octet-stream');
    if (caption) sending.setRequestHeader('x-caption', encodeURIComponent(caption));
    sending.timeout = timeout;
    sending.upload.onprogress = ({ loaded, total }) =>
      onSent(Math.floor((100 * loaded) / Math.max(total, 1)));
    sending.onloadend = () => resolve(answerOf(sending));
    sending.send(file);
  });
}

function answerOf(sent: XMLHttpRequest): SentPhoto {
  const { status } = sent;
  if (status === 403) return { kind: 'signed-out' };
  if (isTransient(status))
    return { kind: 'lost', seconds: Number(sent.getResponseHeader('retry-after')) || null };
  const payload = parsed(sent.responseText);
  if (status === 200 && payload.job) return { kind: 'ok', job: payload.job };
  const fields = Object.values(payload.fields ?? {});
  return { kind: 'refused', message: fields[0] ?? (payload.message || unknownFailure) };
}

type Payload = { job?: JobView; message?: string; fields?: Record<string, string> };

function parsed(text: string): Payload {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
