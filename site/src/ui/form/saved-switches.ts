import { atom, type ReadableAtom } from 'nanostores';
import { ApiError, unknownFailure } from '#site/lib/http/api.ts';

export type Switches<Name extends string> = Readonly<Record<Name, boolean>>;

/** `saving`: on its way. `saved`, `not-saved`: what became of the last turn; an untouched switch has no phase. */
export type SwitchPhase = 'saving' | 'saved' | 'not-saved';

export type SwitchesState<Name extends string> = Readonly<{
  values: Switches<Name>;
  /** By the name of the switch. */
  phases: Readonly<Record<string, SwitchPhase | undefined>>;
  /** Why the last turn was not saved. */
  problem: string | null;
}>;

export type SavedSwitches<Name extends string> = Readonly<{
  $switches: ReadableAtom<SwitchesState<Name>>;
  /** Turns a switch and saves it. Settles when the server has answered; never rejects. */
  turn(name: Name, value: boolean): Promise<void>;
  /** Takes over what the server has now, as another tab turned it. A switch on its way stays as it was turned. */
  follow(stored: Switches<Name>): void;
}>;

/**
 * Switches that are saved as they are turned, one after the other, so that the last turn is what is saved.
 * One that could not be saved goes back to what the server has: a switch never claims what is not so.
 * `save` answers all of them as they are saved now.
 */
export function savedSwitches<Name extends string>(
  stored: Switches<Name>,
  save: (name: Name, value: boolean) => Promise<Switches<Name>>,
): SavedSwitches<Name> {
  const state = atom<SwitchesState<Name>>({ values: stored, phases: {}, problem: null });
  let known = stored;
  let queue = Promise.resolve();

  /** What is known, but for the switches on their way. */
  function shown(settled?: Name): Switches<Name> {
    const { values, phases } = state.get();
    const next: Record<Name, boolean> = { ...known };
    for (const name of Object.keys(known) as Name[]) {
      if (name !== settled && phases[name] === 'saving') next[name] = values[name];
    }
    return next;
  }

  function settle(name: Name, phase: SwitchPhase, problem: string | null): void {
    const { phases } = state.get();
    state.set({ values: shown(name), phases: { ...phases, [name]: phase }, problem });
  }

  function follow(newest: Switches<Name>): void {
    known = newest;
    const before = state.get();
    const values = shown();
    const phases = { ...before.phases };
    for (const name of Object.keys(values) as Name[]) {
      if (values[name] !== before.values[name]) delete phases[name];
    }
    const hasFailed = Object.values(phases).includes('not-saved');
    state.set({ values, phases, problem: hasFailed ? before.problem : null });
  }

  async function send(name: Name, value: boolean): Promise<void> {
    if (state.get().values[name] !== value) return;
    try {
      known = await save(name, value);
      if (state.get().values[name] === value) settle(name, 'saved', null);
    } catch (error) {
      if (state.get().values[name] !== value) return;
      settle(name, 'not-saved', error instanceof ApiError ? error.message : unknownFailure);
    }
  }

  function turn(name: Name, value: boolean): Promise<void> {
    const { values, phases } = state.get();
    state.set({
      values: { ...values, [name]: value },
      phases: { ...phases, [name]: 'saving' },
      problem: null,
    });
    queue = queue.then(() => send(name, value));
    return queue;
  }

  return { $switches: state, turn, follow };
}
