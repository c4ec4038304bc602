// Numbers in words.

/** A place in an order: `1st`, `12th`, `23rd`. */
export function ordinal(number: number): string {
  const teens = Math.floor(number / 10) % 10 === 1;
  return `${number}${(teens ? undefined : ['', 'st', 'nd', 'rd'][number % 10]) || 'th'}`;
}
