// Which field a schema has.

import type { Schema } from './schema';
import type { Field, Slot } from './field';
import { ListField, MapField, ObjectField } from './groups';
import { BooleanField, ChoiceField, TextField } from './scalars';

/** Deeper than this a value is edited as JSON: nobody reads such a form. */
const DEEPEST = 8;

export function makeField(slot: Slot): Field {
  const { schema, path } = slot;
  if (schema.enum) {
    return new ChoiceField(slot);
  }
  if (schema.type === 'boolean') {
    return new BooleanField(slot);
  }
  if (path.length > DEEPEST) {
    return new TextField(slot);
  }
  if (schema.type === 'array' && schema.items) {
    return new ListField(slot, makeField);
  }
  if (schema.type === 'object') {
    return hasFields(schema) ? new ObjectField(slot, makeField) : new MapField(slot, makeField);
  }
  return new TextField(slot);
}

function hasFields({ properties }: Schema): boolean {
  return properties !== undefined && Object.keys(properties).length > 0;
}
