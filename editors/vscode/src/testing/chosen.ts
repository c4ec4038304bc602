/** Which tests a command of the Testing view is about. */

interface Item {
  readonly children: Iterable<[string, Item]> & { readonly size: number };
  readonly sortText?: string | undefined;
}

/** The tests of an item or of a message about one: those of a file in its order, or the test itself. */
export function testsOf<T extends Item>(argument: unknown): T[] {
  const given = argument as { test?: T; children?: unknown } | null | undefined;
  const item = given?.children === undefined ? given?.test : (given as unknown as T);
  if (!item) {
    return [];
  }
  const children = [...item.children].map(([, child]) => child as T);
  return children.length > 0 ? children.sort((a, b) => (a.sortText ?? '').localeCompare(b.sortText ?? '')) : [item];
}
