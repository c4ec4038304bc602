// What a schema says of a field, in words.

import type { Schema } from './schema';
import { writeText } from '../values';

/** The type as SimpleSchema writes it: `integer`, `[]string`, `map[string]integer`. */
export function typeText(schema: Schema): string {
  if (schema['x-kubernetes-int-or-string']) {
    return 'integer or string';
  }
  if (schema.type === 'array') {
    return `[]${schema.items ? typeText(schema.items) : 'object'}`;
  }
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object') {
    return `map[string]${typeText(schema.additionalProperties)}`;
  }
  return schema.type ?? 'any';
}

/** What a value must be, each a phrase of its own. */
export function boundTexts(schema: Schema): string[] {
  const rules = (schema['x-kubernetes-validations'] ?? []).map(({ rule, message }) =>
    message === undefined || message === 'validation failed' ? rule : message,
  );
  return [
    between(schema.minimum, schema.maximum, '', schema.exclusiveMinimum, schema.exclusiveMaximum),
    schema.multipleOf === undefined ? '' : `a multiple of ${schema.multipleOf}`,
    between(schema.minLength, schema.maxLength, 'characters'),
    between(schema.minItems, schema.maxItems, 'items'),
    between(schema.minProperties, schema.maxProperties, 'entries'),
    schema['x-kubernetes-list-type'] === 'set' || schema.uniqueItems ? 'no item twice' : '',
    schema.pattern === undefined ? '' : `matches ${schema.pattern}`,
    schema.format === undefined ? '' : `format ${schema.format}`,
    ...rules,
  ].filter(Boolean);
}

function between(from: number | undefined, to: number | undefined, what: string, above = false, below = false): string {
  const unit = what && ` ${what}`;
  if (from !== undefined && to !== undefined && !above && !below) {
    return from === to ? `exactly ${from}${unit}` : `${from} to ${to}${unit}`;
  }
  const lower = from === undefined ? '' : above ? `more than ${from}` : `at least ${from}`;
  const upper = to === undefined ? '' : below ? `less than ${to}` : `at most ${to}`;
  return [lower, upper].filter(Boolean).join(' and ') + (lower || upper ? unit : '');
}

export function helpText(schema: Schema): string {
  return [schema.description ?? '', ...boundTexts(schema)].filter(Boolean).join(' · ');
}

/** The default, where it is one that can be read on a line. */
export function defaultText({ default: value }: Schema): string {
  const isEmpty = typeof value === 'object' && JSON.stringify(value).length <= 2;
  return value === undefined || isEmpty ? '' : `default: ${value === '' ? '""' : writeText(value)}`;
}
