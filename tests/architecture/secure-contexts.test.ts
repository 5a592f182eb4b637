import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codeFiles, isTest } from './source-files.ts';

/** What browsers have on https alone, however a page would name it. */
const onHttpsAlone = [
  ...[/\bcrypto\s*\??\.\s*(?:subtle|randomUUID)\b/, /\bcaches\s*\??\./],
  /\bnavigator\s*\??\.\s*(?:locks|serviceWorker|clipboard|storage|share|canShare|credentials|mediaDevices|wakeLock|geolocation|setAppBadge|bluetooth|usb|gpu)\b/,
  /['"](?:locks|serviceWorker|clipboard|storage|share|wakeLock)['"] in navigator\b/,
  /\b(?:cookieStore|PaymentRequest|showOpenFilePicker|showSaveFilePicker|Notification\.requestPermission)\b/,
];

/** The files that say what is missing, and the two that run where a service worker does: on https alone. */
const saysSo = /^site\/src\/lib\/(?:secure\/|offline\/(?:worker|shell-cache)\.ts$)/;

/** What browsers refuse where a user lets sites store nothing: a look at it throws. */
const onConsent = [/\b(?:localStorage|sessionStorage)\b/, /\bnew BroadcastChannel\b/];

const pages = codeFiles.filter((file) => /^site\/src\//.test(file) && !isTest(file));

/** The lines of pages, but for some files, that name one of these. */
const places = (names: readonly RegExp[], but: RegExp) =>
  pages
    .filter((file) => !but.test(file))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, at) =>
          names.some((name) => name.test(line)) ? [`${file}:${at + 1}: ${line.trim()}`] : [],
        ),
    );

test('pages name what needs https where types say that it may be missing', () => {
  expect(pages.length).toBeGreaterThan(250);
  expect(places(onHttpsAlone, saysSo)).toEqual([]);
});

test('pages name what a browser may refuse in one file, which never throws', () => {
  expect(places(onConsent, /^site\/src\/lib\/browser-storage\.ts$/)).toEqual([]);
});
