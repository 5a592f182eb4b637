import { join } from 'node:path';
import { readConnectionString } from '#core/event-store/eventstoredb/connection-string.ts';
import { isEmail } from '#core/values/contact.ts';
import {
  choice,
  EnvironmentReader,
  flag,
  origin,
  postgresAddress,
  text,
  wholeNumber,
} from './environment-reader.ts';
import { type Keys, readKeys } from './keys.ts';
import { type MailSettings, readMailSettings, readSmsSettings, type SmsSettings } from './messages.ts';
import { PASSWORD_MEMORY, refuseUnsafe } from './production.ts';
import { type ProofSettings, readProofSettings } from './proof.ts';
import {
  type AddressSettings,
  type AssistantSettings,
  type BotCheckSettings,
  isSandboxed,
  type RegisterSettings,
  readAddressSettings,
  readAssistantSettings,
  readBotCheckSettings,
  readRegisterSettings,
  readTileSettings,
  readVirusScanSettings,
  type TileSettings,
  type VirusScanSettings,
} from './providers.ts';
import { type BackupSettings, type FileSettings, readBackupSettings, readFileSettings } from './storage.ts';
import { readTelemetrySettings, type TelemetrySettings } from './telemetry.ts';

export const roles = ['all', 'api', 'worker'] as const;
/** Ports to the outside whose embedded default is not fit for production. */
const embeddable = ['mail', 'sms', 'business-register'] as const;
const retentionModes = ['report', 'on', 'off'] as const;
const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;

/** All settings of the process, checked. Built once by `main.ts`. */
export type Config = Readonly<{
  environment: 'development' | 'production' | 'test';
  role: (typeof roles)[number];
  /** Interface and port to listen on; port 0 takes any free one. */
  host: string;
  port: number;
  /** Scheme, host and port under which browsers reach the site; no slash at the end. */
  publicOrigin: string;
  /** How many reverse proxies stand before us: that many entries of X-Forwarded-For are believed. */
  trustedProxies: number;
  /** `esdb://…` or `esdb+discover://…`. Absent: the log is stored in the database. */
  eventStoreUrl?: string;
  /** Absent: Postgres is started by this process, with its data in `dataDir`. */
  databaseUrl?: string;
  /** The same database by its owner's login, for migrations alone. */
  migrationDatabaseUrl?: string;
  dataDir: string;
  keys: Keys;
  /** Who may ask for checkpoints of the log. */
  checkpoints: 'public' | 'members';
  /** Null: this process signs no checkpoints of the log. */
  proof: ProofSettings | null;
  /** The file that names every erased subject (`ERASURES_TO`). */
  erasuresTo: string;
  /** What becomes of details that are stored longer than needed: nothing, a report, or their removal. */
  retention: (typeof retentionModes)[number];
  backup: BackupSettings;
  botCheck: BotCheckSettings;
  addresses: AddressSettings;
  /** Null: the site draws its own map. */
  tiles: TileSettings | null;
  files: FileSettings;
  assistant: AssistantSettings;
  /** Absent: customers' files are not scanned. */
  virusScan?: VirusScanSettings;
  businessRegister: RegisterSettings;
  /** GeoNames' postal file of both countries; absent: an embedded table of ranges. */
  postcodesFile?: string;
  /** SMS with codes in an hour: from half of it each costs a bot check, ten times as many are the most. */
  codesPerHour: number;
  /** How many SMS about jobs go out in an hour, to all businesses together. */
  alertsPerHour: number;
  mail: MailSettings;
  sms: SmsSettings;
  product: ProductSettings;
  /** Who answers requests for a demo; null: none can be booked. */
  salesEmail: string | null;
  rateLimits: 'on' | 'off';
  /** Bytes of uploads that the process keeps in memory at once. */
  uploadBudget: number;
  /** What a hash of a password takes, in KiB. */
  passwordMemory: number;
  /** Seconds within which no person fills in a public form. */
  formLeastSeconds: number;
  /** Serves `/api/openapi`. */
  openApi: boolean;
  /** Bearer token for `/api/metrics`; without one only this machine may read it. */
  metricsToken?: string;
  logLevel: (typeof logLevels)[number];
  /** Where spans go; absent: nowhere, and none are made. */
  telemetry?: TelemetrySettings;
}>;

export { ConfigError } from './environment-reader.ts';

/**
 * Checks the environment. Throws `ConfigError`, one line for each variable which is wrong; `unread` has those that were to
 * come from files, with what is wrong with them. Production refuses embedded mail, SMS and business register unless
 * `ALLOW_EMBEDDED` names them, and what `refuseUnsafe` names.
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  unread: ReadonlyMap<string, string> = new Map(),
): Config {
  const read = new EnvironmentReader(env, unread);
  const environment = read.get(
    'NODE_ENV',
    choice(['development', 'production', 'test'] as const),
    'development',
  );
  const production = environment === 'production';
  const port = read.get('PORT', wholeNumber(0, 65_535), 4321);
  if (production && read.raw('PUBLIC_ORIGIN') === undefined) {
    read.problem('PUBLIC_ORIGIN', 'is required in production');
  }
  const publicOrigin = read.get('PUBLIC_ORIGIN', origin, `http://localhost:${port}`);
  const databaseUrl = read.optional('DATABASE_URL', postgresAddress);
  const migrationDatabaseUrl = read.optional('MIGRATION_DATABASE_URL', postgresAddress);
  if (migrationDatabaseUrl !== undefined && databaseUrl === undefined)
    read.problem('MIGRATION_DATABASE_URL', 'is only for a DATABASE_URL');
  const eventStoreUrl = read.optional('EVENTSTORE_URL', (raw) => {
    readConnectionString(raw);
    return raw;
  });
  const metricsToken = read.optional('METRICS_TOKEN', text(/^\S{24,}$/, 'at least 24 characters'));
  const rateLimits = read.get('RATE_LIMITS', choice(['on', 'off'] as const), 'on');
  if (production && rateLimits === 'off') read.problem('RATE_LIMITS', 'cannot be off in production');
  const mail = readMailSettings(read);
  const sms = readSmsSettings(read);
  const embedded = { mail: mail.provider === 'outbox', sms: sms.provider === 'outbox' };
  const businessRegister = readRegisterSettings(read);
  const postcodesFile = read.optional('POSTCODES_FILE', text(/^[^\0]+$/, 'a file'));
  if (production) refuseEmbedded(read, { ...embedded, 'business-register': isSandboxed(businessRegister) });
  const virusScan = readVirusScanSettings(read);
  const product = readProduct(read, production);
  const botCheck = readBotCheckSettings(read);
  const formLeastSeconds = read.get('FORM_LEAST_SECONDS', wholeNumber(0, 60), 3);
  const passwordMemory = read.get('PASSWORD_MEMORY', wholeNumber(64, 1_048_576), PASSWORD_MEMORY);
  if (production) refuseUnsafe(read, { botCheckCost: botCheck.cost, formLeastSeconds, passwordMemory });
  const telemetry = readTelemetrySettings(read);
  const dataDir = read.get('DATA_DIR', text(/^[^\0]+$/, 'a folder'), '.data');
  const role = read.get('ROLE', choice(roles), 'all');
  const keys = readKeys(read);
  return read.finish({
    environment,
    role,
    host: read.get(
      'HOST',
      text(/^[A-Za-z0-9.:-]+$/, 'a host name or address'),
      production ? '0.0.0.0' : '127.0.0.1',
    ),
    port,
    publicOrigin,
    trustedProxies: read.get('TRUSTED_PROXIES', wholeNumber(0, 10), 0),
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    ...(migrationDatabaseUrl === undefined ? {} : { migrationDatabaseUrl }),
    ...(eventStoreUrl === undefined ? {} : { eventStoreUrl }),
    dataDir,
    keys,
    checkpoints: read.get('CHECKPOINTS', choice(['public', 'members'] as const), 'public'),
    proof: readProofSettings(read, { production, role, dataDir, keys }),
    erasuresTo: read.get('ERASURES_TO', text(/^[^\0]+$/, 'a file'), join(dataDir, 'erasures.log')),
    retention: read.get('RETENTION', choice(retentionModes), 'report'),
    backup: readBackupSettings(read),
    botCheck,
    addresses: readAddressSettings(read),
    tiles: readTileSettings(read),
    files: readFileSettings(read, dataDir),
    assistant: readAssistantSettings(read),
    ...(virusScan === undefined ? {} : { virusScan }),
    businessRegister,
    ...(postcodesFile === undefined ? {} : { postcodesFile }),
    codesPerHour: read.get('SMS_CODES_PER_HOUR', wholeNumber(1, 100_000), 200),
    alertsPerHour: read.get('SMS_ALERTS_PER_HOUR', wholeNumber(1, 100_000), 500),
    mail,
    sms,
    product,
    salesEmail: readSalesEmail(read, product),
    rateLimits,
    uploadBudget: read.get('UPLOAD_BUDGET_MB', wholeNumber(32, 8_192), 128) * 1024 * 1024,
    passwordMemory,
    formLeastSeconds,
    openApi: read.get('OPENAPI', flag, !production),
    ...(metricsToken === undefined ? {} : { metricsToken }),
    logLevel: read.get('LOG_LEVEL', choice(logLevels), 'info'),
    ...(telemetry === undefined ? {} : { telemetry }),
  });
}

function refuseEmbedded(
  read: EnvironmentReader,
  isEmbedded: Readonly<Record<(typeof embeddable)[number], boolean>>,
): void {
  const allowed = (read.raw('ALLOW_EMBEDDED') ?? '').split(',').map((name) => name.trim());
  for (const name of allowed.filter((name) => name !== '' && !embeddable.some((port) => port === name))) {
    read.problem('ALLOW_EMBEDDED', `does not know "${name}"; it knows ${embeddable.join(', ')}`);
  }
  for (const name of embeddable) {
    if (isEmbedded[name] && !allowed.includes(name))
      read.problem('ALLOW_EMBEDDED', `must name ${name} to run on its embedded default`);
  }
}

/** How tradies reach the product about its work orders, and how the product reaches us to send them. */
export type ProductSettings = Readonly<{
  /** Shown on work orders; null until it is configured. */
  contact: Readonly<{ phone: string; email: string }> | null;
  /** Bearer token of POST /work-orders; without one the route refuses everything. */
  serviceKey?: string;
}>;

/** Invented, for an installation that is only looked at. */
const EXAMPLE = { phone: '1800 975 707', email: 'jobs@ute.example' } as const;

/** Reads `PRODUCT_PHONE` and `PRODUCT_EMAIL`, both or neither, and `SERVICE_KEY`. */
export function readProduct(read: EnvironmentReader, production: boolean): ProductSettings {
  const phone = read.optional('PRODUCT_PHONE', text(/^\+?[\d ()-]{6,24}$/, 'a phone number'));
  const email = read.optional('PRODUCT_EMAIL', (raw) => {
    if (!isEmail(raw)) throw new RangeError('an email address');
    return raw;
  });
  const given = [read.raw('PRODUCT_PHONE'), read.raw('PRODUCT_EMAIL')].filter((raw) => raw !== undefined);
  if (given.length === 1) read.problem('PRODUCT_PHONE', 'and PRODUCT_EMAIL go together');
  const serviceKey = read.optional('SERVICE_KEY', text(/^\S{24,200}$/, 'at least 24 characters'));
  return {
    contact: phone && email ? { phone, email } : production ? null : EXAMPLE,
    ...(serviceKey === undefined ? {} : { serviceKey }),
  };
}

/** Reads `SALES_EMAIL`, who answers requests for a demo: without it the product's own address, null where that is unknown too. */
function readSalesEmail(read: EnvironmentReader, { contact }: ProductSettings): string | null {
  const email = read.optional('SALES_EMAIL', (raw) => {
    if (!isEmail(raw)) throw new RangeError('an email address');
    return raw;
  });
  return email ?? contact?.email ?? null;
}
