// What the server tells of a graph; docs/editor-commands.md describes each member.

export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

export interface Cause {
  reads: string;
  expression: string;
  path: string;
  range: Range;
}

/** The titles of a resource's groups: the first word of its id, its API group, its namespace. */
export type Groups = Readonly<Record<'prefix' | 'apiGroup' | 'namespace', string>>;

export type ResourceType = 'Resource' | 'Collection' | 'External' | 'ExternalCollection';

export interface ResourceNode {
  id: string;
  kind: string | null;
  apiVersion: string | null;
  /** As written, perhaps with expressions; null where the template names none. */
  namespace: string | null;
  /** As written, by the field that they stand in: `includeWhen`, `readyWhen`. */
  conditions: Readonly<Record<string, string[]>>;
  type: ResourceType;
  /** The earliest pass in which kro can create it; in a Graph, the step within the pass. */
  pass: number | null;
  /** The apply wave: kro deletes the highest first. */
  wave: number | null;
  position: number | null;
  conditional: boolean;
  /** Null for what was removed. */
  range: Range | null;
  idRange: Range | null;
  /** The title of the group that it is in, by what groups have in common. */
  groups: Groups;
  problems: Problem[];
  /** How it differs from the version that the graph is compared with. */
  change?: Change | undefined;
  /** The lines that differ, each with a `+`, `-` or space in front. */
  difference?: string[];
}

export type Change = 'added' | 'removed' | 'changed';

/** An error or a warning in the lines of a resource. */
export interface Problem {
  severity: 'error' | 'warning';
  code: string;
  message: string;
  range: Range;
}

/** An edge from a resource to what it needs. */
export interface Edge {
  from: string;
  to: string;
  cyclic: boolean;
  critical: boolean;
  causes: Cause[];
  change?: Change | undefined;
}

export interface Field {
  path: string;
  type: string | null;
  range: Range | null;
}

export interface FieldEdge {
  from: string;
  to: string;
  causes: Cause[];
}

export interface NodeState {
  id: string;
  state: string;
  objects: number;
  reason: string;
}

export interface Instance {
  uri: string | null;
  label: string;
  state: string | null;
  /** How many errors kro refuses the definition for. */
  errors: number;
  refusals: string[];
  nodes: NodeState[];
}

export interface Graph {
  uri: string;
  version: number | null;
  definition: number;
  definitions: (string | null)[];
  name: string | null;
  kind: string | null;
  isGraph: boolean;
  nodes: ResourceNode[];
  edges: Edge[];
  cycles: string[][];
  criticalPath: string[];
  fields?: Field[];
  fieldEdges?: FieldEdge[];
  instance?: Instance;
  /** What it is compared with, and what there is to say about that. */
  comparison?: { ref: string; message: string | null };
  /** The documents with instances of this definition, that beside it first. */
  instances?: { uri: string; label: string }[];
}
