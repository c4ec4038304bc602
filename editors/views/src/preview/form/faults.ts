// What is wrong with an instance, by the fields that it is about.

import type { Fault } from '../../wire';
import type { Path } from '../values';

type Step = string | number;

/** The faults of a value and of what is inside of it. */
export class Faults {
  readonly own: Fault[] = [];
  readonly #inner = new Map<Step, Faults>();

  constructor(faults: readonly Fault[] = []) {
    for (const fault of faults) {
      this.#at(fault.path).own.push(fault);
    }
  }

  at(step: Step): Faults {
    return this.#inner.get(step) ?? NONE;
  }

  get steps(): Step[] {
    return [...this.#inner.keys()];
  }

  /** How many errors there are, with those of everything inside. */
  get errors(): number {
    const own = this.own.filter(({ severity }) => severity === 'error').length;
    return [...this.#inner.values()].reduce((sum, inner) => sum + inner.errors, own);
  }

  /** The own faults, and those inside of everything that has no field, which stand nowhere else. */
  without(fields: ReadonlySet<Step>): Fault[] {
    return [...this.own, ...this.steps.filter((step) => !fields.has(step)).flatMap((step) => this.at(step).all)];
  }

  get all(): Fault[] {
    return [...this.own, ...[...this.#inner.values()].flatMap((inner) => inner.all)];
  }

  #at([step, ...rest]: Path): Faults {
    if (step === undefined) {
      return this;
    }
    const inner = this.#inner.get(step) ?? new Faults();
    this.#inner.set(step, inner);
    return inner.#at(rest);
  }
}

const NONE = new Faults();
