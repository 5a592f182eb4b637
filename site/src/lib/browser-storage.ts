/** Values by name, as the browser's storages have them, but none of it ever throws. */
export type Values = Readonly<{
  getItem(name: string): string | null;
  /** Whether it is stored: a browser may refuse, or be full. */
  setItem(name: string, value: string): boolean;
  removeItem(name: string): void;
  names(): string[];
}>;

/** Values that outlive the tab. */
export const browserValues: Values = valuesIn(() => localStorage);

/** Values that live as long as the tab, where the browser stores them. */
export const sessionValues: Values = valuesIn(() => sessionStorage);

/**
 * Values that live as long as the tab. Where the browser refuses storage they are in the name of the window, which goes with the tab
 * from page to page and which browsers take away as another site opens in it.
 */
export const tabValues: Values = {
  getItem: (name) => sessionValues.getItem(name) ?? readName()[name] ?? null,
  setItem: (name, value) => sessionValues.setItem(name, value) || writeName({ ...readName(), [name]: value }),
  removeItem(name) {
    sessionValues.removeItem(name);
    const { [name]: removed, ...others } = readName();
    if (removed !== undefined) writeName(others);
  },
  names: () => [...sessionValues.names(), ...Object.keys(readName())],
};

function valuesIn(storage: () => Storage): Values {
  const attempt = <T>(act: (values: Storage) => T, otherwise: T): T => {
    try {
      return act(storage());
    } catch {
      return otherwise;
    }
  };
  return {
    getItem: (name) => attempt((values) => values.getItem(name), null),
    setItem: (name, value) => attempt((values) => values.setItem(name, value) ?? true, false),
    removeItem: (name) => attempt((values) => values.removeItem(name), undefined),
    names: () => attempt(Object.keys, []),
  };
}

/** What the window's name begins with while it holds values. */
const mark = 'ute.values:';

function readName(): Readonly<Record<string, string>> {
  try {
    return window.name.startsWith(mark) ? JSON.parse(window.name.slice(mark.length)) : {};
  } catch {
    return {};
  }
}

function writeName(values: Readonly<Record<string, string>>): boolean {
  if (typeof window === 'undefined') return false;
  window.name = Object.keys(values).length > 0 ? mark + JSON.stringify(values) : '';
  return true;
}

export type StorageTrouble = 'refused' | 'full';

/** What is wrong with this browser's storage; null where a session can be stored. */
export function storageTrouble(): StorageTrouble | null {
  const name = 'ute.trouble';
  try {
    localStorage.setItem(name, 'x'.repeat(1_000));
    localStorage.removeItem(name);
    return null;
  } catch (error) {
    return (error as Error).name === 'QuotaExceededError' ? 'full' : 'refused';
  }
}

/** A channel between the tabs of this browser; null where it has none or refuses it. */
export function tabsChannel(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name);
  } catch {
    return null;
  }
}
