/** The environment cannot be used. The message is for the person who starts the process: a line for each problem. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Reads one variable's text; throws RangeError that says what it should be ("a whole number from 0 to 10"). */
type Parse<T> = (raw: string) => T;

/** Collects what is wrong, so that all of it is reported at once. Values are never repeated: they may be secrets. */
export class EnvironmentReader {
  readonly #problems: string[];

  /** `unread`: variables that were to come from files, and what is wrong with each; nothing else is reported of them. */
  constructor(
    private readonly env: Readonly<Record<string, string | undefined>>,
    private readonly unread: ReadonlyMap<string, string> = new Map(),
  ) {
    this.#problems = [...unread.values()];
  }

  /** The text, or undefined when it is absent or blank. */
  raw(name: string): string | undefined {
    const value = this.env[name]?.trim();
    return value === '' ? undefined : value;
  }

  /** Whether the environment names it, be it blank. */
  has(name: string): boolean {
    return Object.hasOwn(this.env, name);
  }

  get<T>(name: string, parse: Parse<T>, fallback: T): T {
    return this.optional(name, parse) ?? fallback;
  }

  optional<T>(name: string, parse: Parse<T>): T | undefined {
    const raw = this.raw(name);
    if (raw === undefined) return undefined;
    try {
      return parse(raw);
    } catch (error) {
      this.problem(name, `must be ${error instanceof RangeError ? error.message : 'readable'}`);
      return undefined;
    }
  }

  problem(name: string, what: string): void {
    if (!this.unread.has(name)) this.#problems.push(`${name} ${what}`);
  }

  /** The value, or ConfigError when anything was wrong. */
  finish<T>(value: T): T {
    const lines = this.#problems.map((problem) => `Configuration: ${problem}.`);
    if (lines.length > 0) throw new ConfigError(lines.join('\n'));
    return value;
  }
}

export function choice<const T extends readonly string[]>(options: T): Parse<T[number]> {
  return (raw) => {
    const found = options.find((option) => option === raw);
    if (found === undefined) throw new RangeError(`one of ${options.join(', ')}`);
    return found;
  };
}

export function wholeNumber(least: number, most: number): Parse<number> {
  return (raw) => {
    const value = /^\d{1,9}$/.test(raw) ? Number(raw) : Number.NaN;
    if (!(value >= least && value <= most)) throw new RangeError(`a whole number from ${least} to ${most}`);
    return value;
  };
}

export function text(pattern: RegExp, what: string): Parse<string> {
  return (raw) => {
    if (!pattern.test(raw)) throw new RangeError(what);
    return raw;
  };
}

export const flag: Parse<boolean> = (raw) => choice(['true', 'false'] as const)(raw) === 'true';

/** `postgres://user:password@host:5432/name`. */
export const postgresAddress: Parse<string> = (raw) => {
  if (!URL.canParse(raw) || !/^postgres(ql)?:\/\/\S+$/.test(raw))
    throw new RangeError('a postgres:// address');
  return raw;
};

/** `https://jobs.example.com`: scheme, host, perhaps a port, nothing behind. */
export const origin: Parse<string> = (raw) => {
  const url = URL.canParse(raw) ? new URL(raw) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.origin !== raw.replace(/\/$/, '')) {
    throw new RangeError('an origin such as https://jobs.example.com');
  }
  return url.origin;
};
