// The verdict on a definition that kro refuses, in the words of the code lens and of the status bar.

/** Empty where there are no errors. */
export function verdictOn(errors: number): string {
  return errors === 0 ? '' : `kro refuses this: ${errors} error${errors === 1 ? '' : 's'}`;
}
