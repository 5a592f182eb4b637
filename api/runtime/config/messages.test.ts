import { describe, expect, test } from 'vitest';
import { ConfigError, EnvironmentReader } from './environment-reader.ts';
import { readMailSettings, readSmsSettings } from './messages.ts';

function read<T>(env: Record<string, string>, reading: (reader: EnvironmentReader) => T): T {
  const reader = new EnvironmentReader(env);
  return reader.finish(reading(reader));
}
const mail = (env: Record<string, string>) => read(env, readMailSettings);
const sms = (env: Record<string, string>) => read(env, readSmsSettings);

const MAIL_FROM = 'Ute <hello@ute.example>';

describe('who takes mail', () => {
  test('is the outbox until a server is named', () => {
    expect(mail({})).toEqual({ provider: 'outbox' });
    expect(mail({ MAIL_FROM })).toEqual({ provider: 'outbox' });
  });

  test.each([
    [
      'smtps://ute:pass%40word@mail.example.com',
      { port: 465, tls: 'always', user: 'ute', password: 'pass@word' },
    ],
    ['smtp://ute:secret@mail.example.com', { port: 587, tls: 'upgrade' }],
    ['smtp://relay.internal:25?tls=off', { port: 25, tls: 'off', user: '', password: '' }],
    ['smtp://127.0.0.1:1025', { host: '127.0.0.1', port: 1025, tls: 'off' }],
    ['smtp://[::1]:1025', { host: '::1', tls: 'off' }],
  ])('%s is understood', (SMTP_URL, expected) => {
    const from = { name: 'Ute', address: 'hello@ute.example' };
    expect(mail({ SMTP_URL, MAIL_FROM })).toMatchObject({ provider: 'smtp', from, ...expected });
  });

  test.each([
    [{ SMTP_URL: 'mail.example.com', MAIL_FROM }, 'SMTP_URL must be an address such as smtps://'],
    [{ SMTP_URL: 'https://mail.example.com', MAIL_FROM }, 'SMTP_URL must be an address such as smtps://'],
    [{ SMTP_URL: 'smtps://mail.example.com?tls=off', MAIL_FROM }, 'SMTP_URL must be'],
    [{ SMTP_URL: 'smtp://mail.example.com?ignoreTLS=true', MAIL_FROM }, 'SMTP_URL must be'],
    [{ SMTP_URL: 'smtps://mail.example.com' }, 'MAIL_FROM is missing'],
    [{ SMTP_URL: 'smtps://mail.example.com', MAIL_FROM: 'Ute' }, 'MAIL_FROM must be an address'],
    [{ MAIL_FROM: 'Ute <a@b.example>, <c@d.example>' }, 'MAIL_FROM must be an address'],
  ])('%j is refused', (env, message) => {
    expect(() => mail(env)).toThrow(message);
  });
});

describe('who takes SMS', () => {
  const twilio = {
    SMS: 'twilio',
    TWILIO_ACCOUNT: 'AC123',
    TWILIO_TOKEN: 'a-token',
    SMS_FROM: '+61480000000',
  };
  const messageMedia = { SMS: 'messagemedia', MESSAGEMEDIA_KEY: 'a-key', MESSAGEMEDIA_SECRET: 'a-secret' };

  test('is the outbox until a provider is named, at its own address or behind a proxy', () => {
    expect(sms({})).toEqual({ provider: 'outbox' });
    expect(sms(twilio)).toEqual({
      ...{ provider: 'twilio', account: 'AC123', token: 'a-token', from: '+61480000000' },
      url: 'https://api.twilio.com',
    });
    expect(sms({ ...messageMedia, SMS_URL: 'http://proxy.internal:8080' })).toEqual({
      ...{ provider: 'messagemedia', key: 'a-key', secret: 'a-secret', from: null },
      url: 'http://proxy.internal:8080',
    });
  });

  test.each(['+61480000000', `MG${'0'.repeat(32)}`, 'UTE Jobs'])('%s may send', (SMS_FROM) => {
    expect(sms({ ...twilio, SMS_FROM })).toMatchObject({ from: SMS_FROM });
  });

  test.each([
    [{ SMS: 'pigeon' }, 'SMS must be one of outbox, twilio, messagemedia'],
    [{ ...twilio, SMS_FROM: '' }, 'SMS_FROM is missing'],
    [{ ...twilio, SMS_FROM: '0480000000' }, 'SMS_FROM must be a number'],
    [{ ...twilio, SMS_FROM: 'Much too long a name' }, 'SMS_FROM must be a number'],
    [{ ...twilio, TWILIO_TOKEN: '' }, 'TWILIO_TOKEN is missing'],
    [{ SMS: 'messagemedia', MESSAGEMEDIA_KEY: 'a key' }, 'MESSAGEMEDIA_KEY must be a key without spaces'],
  ])('%j is refused', (env, message) => {
    expect(() => sms(env)).toThrow(ConfigError);
    expect(() => sms(env)).toThrow(message);
  });
});
