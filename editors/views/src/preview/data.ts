// What the server tells of a preview; docs/editor-commands.md describes each member.

import type { Range } from '../data';

export type State = 'ready' | 'waiting' | 'pending' | 'unfinished' | 'ignored' | 'error';

export interface PreviewNode {
  id: string;
  state: State;
  objects: number;
  reason: string;
  external: boolean;
  apiVersion: string;
  kind: string;
  line: number;
  kro?: string;
  waitsFor?: string;
  range?: Range | null;
  observed: string[];
}

/** An error because of which kro refuses the definition, and the resource that it is in. */
export interface RefusalError {
  code: string;
  message: string;
  range: Range;
  node: string | null;
}

/** A resource that is no node of the preview, such as one of a cycle. */
export interface MissingResource {
  id: string | null;
  reason: string;
  line: number;
}

/** A text, and for each of its lines the line of the definition that it comes from. */
export interface PlacedText {
  text: string;
  lines: (number | null)[];
}

export interface RenderedObject extends PlacedText {
  node: string;
  name: string;
}

export interface ObjectOfNode {
  node: string;
  object: string;
}

/** An object that a pass made; with its text where that is not the one that it has in the end. */
export type MadeObject = ObjectOfNode & Partial<PlacedText>;

/** A part of the status that has no value; the path is empty for what is no single field. */
export interface MissingStatus {
  path: string;
  reason: string;
  kro: string;
  /** The part of an expression that decides. */
  range: Range | null;
}

export interface Pass {
  pass: number;
  /** 2 after the instance was edited. */
  generation: number;
  /** Null where the pass is of an earlier instance than the one that is written. */
  state: string | null;
  /** Why kro has to look again, and the same in kro's words; empty where the pass was clean. */
  reason: string;
  text: string;
  created: MadeObject[];
  updated: MadeObject[];
  deleted: ObjectOfNode[];
  nodes: { id: string; state: State; objects: number; reason?: string; kro?: string }[];
  status: string;
  missingStatus: MissingStatus[];
}

export interface Deletion {
  waves: { wave: number; objects: (ObjectOfNode & { finalizers?: string[] })[] }[];
  kept: (ObjectOfNode & { reason: string })[];
}

export interface Preview {
  name: string | null;
  version: number | null;
  definition: number;
  instance: { uri: string | null; label: string };
  instances: { uri: string; label: string }[];
  instanceText: string;
  instanceValue: unknown;
  /** What the instance is edited to when nothing changes any more. */
  then: { text: string; value: unknown } | null;
  schema: Schema;
  /** Whether the instance is in a namespace. */
  namespaced: boolean;
  faults: Fault[];
  /** The texts of the scenario that count: of one that cannot be read, the last that could. */
  readable: ScenarioTexts;
  refusals: string[];
  errors: RefusalError[];
  missing: MissingResource[];
  problems: string[];
  state: string | null;
  settled: boolean | null;
  nodes?: PreviewNode[];
  objects?: RenderedObject[];
  status?: PlacedText;
  passes?: Pass[];
  deletion?: Deletion;
}

export interface ScenarioTexts {
  instance: string;
  then: string;
  observed: string;
}

/** What is wrong with a field of an instance, or with the text of one, which then has a line. */
export interface Fault {
  of: 'instance' | 'then' | 'observed';
  severity: 'error' | 'warning';
  path: (string | number)[];
  message: string;
  /** The API server's own text. */
  text?: string;
  line?: number;
}

/** What a form needs of a structural schema. */
export interface Schema {
  type?: string;
  format?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: boolean;
  exclusiveMaximum?: boolean;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minProperties?: number;
  maxProperties?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  'x-kubernetes-int-or-string'?: boolean;
  'x-kubernetes-list-type'?: string;
  'x-kubernetes-validations'?: { rule: string; message?: string }[];
}
