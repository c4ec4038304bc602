// JSON values that a form edits: never changed in place.

import type { Schema } from './form/schema';

export type Path = readonly (string | number)[];

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, step) => (inner as Record<string | number, unknown> | null | undefined)?.[step], value);
}

/** The value with another one at a path; what is missing on the way is made. */
export function withValue(value: unknown, [step, ...rest]: Path, wanted: unknown): unknown {
  if (step === undefined) {
    return wanted;
  }
  if (typeof step === 'number') {
    const items: unknown[] = Array.isArray(value) ? [...(value as unknown[])] : [];
    items[step] = withValue(items[step], rest, wanted);
    return items;
  }
  const members = isMapping(value) ? value : {};
  return { ...members, [step]: withValue(members[step], rest, wanted) };
}

/** The value without what stands at a path. */
export function withoutValue(value: unknown, [step, ...rest]: Path): unknown {
  if (step === undefined) {
    return undefined;
  }
  if (Array.isArray(value)) {
    const items = value as unknown[];
    return rest.length
      ? items.map((item, number) => (number === step ? withoutValue(item, rest) : item))
      : items.filter((_, number) => number !== step);
  }
  if (!isMapping(value) || !(step in value)) {
    return value;
  }
  const { [step]: inner, ...others } = value;
  return rest.length ? { ...others, [step]: withoutValue(inner, rest) } : others;
}

export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a new item or entry begins with. */
export function emptyValue(schema: Schema): unknown {
  if (schema.default !== undefined) {
    return schema.default;
  }
  if (schema.enum) {
    return schema.enum[0];
  }
  switch (schema.type) {
    case 'object':
      return Object.fromEntries((schema.required ?? []).map((name) => [name, emptyValue(schema.properties?.[name] ?? {})]));
    case 'array':
      return [];
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    default:
      return '';
  }
}

/** The value that a text in a field means; a field whose schema says nothing takes JSON as well. */
export function readText(text: string, schema: Schema): unknown {
  if (schema.type === 'string') {
    return text;
  }
  if (schema.type === 'integer' || schema.type === 'number') {
    // What is no number is sent as it is, so that the API server's refusal is seen.
    return /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : text;
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

export function writeText(value: unknown): string {
  return value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
}
