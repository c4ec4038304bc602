// What the server says and is asked by those who show graphs and previews; made by scripts/generate.

/** The graph of one of a document's definitions. */
export interface Graph {
  name: string | null;
  kind: string | null;
  isGraph: boolean;
  nodes: ResourceNode[];
  edges: Edge[];
  cycles: string[][];
  criticalPath: string[];
  fields?: Field[];
  fieldEdges?: FieldEdge[];
  instance?: InstanceStates;
  comparison?: Comparison;
  /** The documents with instances of this definition, that beside it first. */
  instances?: InstanceFile[];
  uri: string;
  version: number | null;
  definition: number;
  definitions: (string | null)[];
}

/**
 * A resource of a graph. `pass` is the earliest one in which kro can create it; in a Graph, the step within it.
 *
 * `wave` is the one in which kro deletes it, the highest first.
 */
export interface ResourceNode {
  pass: number | null;
  wave: number | null;
  id: string;
  kind: string | null;
  apiVersion: string | null;
  /** As written, perhaps with expressions; null where the template names none. */
  namespace: string | null;
  /** The conditions as written, by the field that holds them: `includeWhen`, `readyWhen`. */
  conditions: Readonly<Record<string, string[]>>;
  type: ResourceType;
  position: number | null;
  conditional: boolean;
  /** Null for what was removed. */
  range: Range | null;
  idRange: Range | null;
  /** The title of the group that it is in, by what groups have in common. */
  groups: Groups;
  problems: Problem[];
  /** How it differs from the version that the graph is compared with. */
  change?: Change;
  /** The lines that differ, each with a `+`, `-` or space in front. */
  difference?: string[];
}

export type ResourceType = 'Resource' | 'Collection' | 'External' | 'ExternalCollection';

/** A part of a text. */
export interface Range {
  start: Position;
  end: Position;
}

/** A place in a text. */
export interface Position {
  line: number;
  character: number;
}

/** The titles of a resource's groups: the first word of its id, its API group, its namespace. */
export interface Groups {
  prefix: string;
  apiGroup: string;
  namespace: string;
}

/** An error or a warning in the lines of a resource. */
export interface Problem {
  severity: 'error' | 'warning';
  code: string;
  message: string;
  range: Range;
}

export type Change = 'added' | 'removed' | 'changed';

/** An edge from a resource to what it needs. */
export interface Edge {
  from: string;
  to: string;
  causes: Cause[];
  cyclic: boolean;
  critical: boolean;
  change?: Change;
}

/** A place where a resource reads something. */
export interface Cause {
  reads: string;
  expression: string;
  path: string;
  range: Range;
}

/** A field of the instance that resources read. */
export interface Field {
  path: string;
  type: string | null;
  range: Range | null;
}

/** An edge from a resource to a field that it reads. */
export interface FieldEdge {
  from: string;
  to: string;
  causes: Cause[];
}

/** What becomes of the instance. */
export interface InstanceStates {
  uri: string | null;
  label: string;
  state: string | null;
  /** How many errors kro refuses the definition for. */
  errors: number;
  refusals: string[];
  nodes: NodeState[];
}

/** A resource in the preview: its state, the number of its objects, and why it is not ready. */
export interface NodeState {
  id: string;
  state: string;
  objects: number;
  reason: string;
}

/** The version that a graph is compared with, and what there is to say about that. */
export interface Comparison {
  ref: string;
  message: string | null;
}

/** A document that holds an instance of a definition. */
export interface InstanceFile {
  uri: string;
  label: string;
}

/** The preview of one of a document's definitions. */
export interface Preview {
  /** The structural schema of what users write. */
  schema: unknown;
  /** Whether the instance is in a namespace. */
  namespaced: boolean;
  faults: Fault[];
  name: string | null;
  version: number | null;
  instance: InstanceName;
  instanceText: string;
  instanceValue: unknown;
  then: EditedInstance | null;
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
  definition: number;
  instances: InstanceFile[];
  /** Why the instance is not ready in the cluster; nothing where it is, or comes from none. */
  stuck: StuckCause[];
}

/** A fault in a field of an instance, or in its text; the latter has a line. */
export interface Fault {
  of: 'instance' | 'then' | 'observed';
  severity: 'error' | 'warning';
  path: (string | number)[];
  message: string;
  /** The API server's own text. */
  text?: string;
  line?: number;
}

/** The instance that stands for a definition: its file, null where it is made up, and its name for people. */
export interface InstanceName {
  uri: string | null;
  label: string;
}

/** What the instance is edited to when nothing changes any more. */
export interface EditedInstance {
  text: string;
  value: unknown;
}

/** The texts of a scenario; an empty one changes nothing. */
export interface ScenarioTexts {
  instance: string;
  then: string;
  observed: string;
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

/** What became of a resource in the end. */
export interface PreviewNode {
  id: string;
  state: State;
  objects: number;
  reason: string;
  external: boolean;
  apiVersion: string;
  kind: string;
  line: number;
  observed: string[];
  kro?: string;
  waitsFor?: string;
  range?: Range | null;
}

export type State = 'ready' | 'waiting' | 'pending' | 'unfinished' | 'ignored' | 'error';

/** An object as it is in the end. */
export interface RenderedObject {
  text: string;
  lines: (number | null)[];
  node: string;
  name: string;
}

/** A text, and for each of its lines the line of the definition that it comes from. */
export interface PlacedText {
  text: string;
  lines: (number | null)[];
}

/** A pass of kro, and the nodes about which it reported something new. */
export interface Pass {
  pass: number;
  /** 2 after the instance was edited. */
  generation: number;
  /** Null where the pass is of an earlier instance than the one that is written. */
  state: string | null;
  /** Why kro has to look again; empty where the pass was clean. `text` says the same in kro's words. */
  reason: string;
  text: string;
  created: MadeObject[];
  updated: MadeObject[];
  deleted: NamedObject[];
  nodes: NodeAtPass[];
  status: string;
  missingStatus: MissingStatus[];
}

/** An object that a pass made; with its text where that is not the one that it has in the end. */
export interface MadeObject {
  node: string;
  object: string;
  text?: string;
  lines?: (number | null)[];
}

/** What names an object: its node, and its kind and name. */
export interface NamedObject {
  node: string;
  object: string;
}

/** A node after a pass: its state, the number of its objects, and why it is not ready, also in kro's words. */
export interface NodeAtPass {
  id: string;
  state: State;
  objects: number;
  data?: unknown[];
  reason?: string;
  kro?: string;
  waitsFor?: string;
  expression?: string;
  missing?: string;
  madeUp?: string;
}

/** A part of the status that has no value, with the part of an expression that decides. */
export interface MissingStatus {
  path: string;
  reason: string;
  kro: string;
  expression?: string;
  missing?: string;
  range: Range | null;
}

/** What happens when the instance is deleted. */
export interface Deletion {
  waves: Wave[];
  kept: KeptObject[];
}

/** The objects that kro deletes at once. */
export interface Wave {
  wave: number;
  objects: HeldObject[];
}

/** An object that is deleted, and what holds it until controllers take that away. */
export interface HeldObject {
  node: string;
  object: string;
  finalizers?: string[];
}

/** An object that remains after the instance is gone, and why. */
export interface KeptObject {
  node: string;
  object: string;
  reason: string;
}

/**
 * A cause for which the instance does not go on in the cluster that it comes from.
 *
 * `fault` names who has to act, `unblock` says what would help, `fetch` lists commands whose output would show more.
 * `range` is its place in the definition, null where it has none there.
 */
export interface StuckCause {
  cause: string;
  message: string;
  node: string | null;
  fault: string;
  unblock: string;
  fetch: string[];
  range: Range | null;
}

/** The text of a test file, a title for a new one, and the name of the test in it. */
export interface SavedTest {
  text: string;
  title: string;
  name: string;
}

/** A definition in a document: the kind that it declares, where it stands, and the documents with its instances. */
export interface TextDefinition {
  kind: string | null;
  range: Range;
  instances: InstanceFile[];
}

/** A test in a test file, with its range: from its name to its end. */
export interface PlacedTest {
  name: string;
  range: Range;
}

/**
 * What the client sends; empty lists change nothing, either.
 *
 * `readable` are the last texts that could be read: each counts while the one being typed cannot be read.
 */
export interface AskedScenario {
  instance?: string;
  then?: string;
  observed?: string;
  notReady?: string[];
  without?: string[];
  readable?: ScenarioTexts;
}

/** A question about a text; `docs/editor-commands.md` describes each member. */
export interface Question {
  method: 'completion' | 'description' | 'hover' | 'diagnostics';
  of: 'instance' | 'observed';
  text: string;
  apiVersion?: string;
  kind?: string;
  position?: Position;
  item?: Item;
}

/** The item of a completion that a question is about. */
export interface Item {
  label?: string;
  data?: Readonly<Record<string, string | number>> | null;
}

/** The notification's parameters. */
export interface Status {
  serverVersion: string;
  /** The version of kro that is set, such as `0.9.4`, by default the newest release. */
  kroVersion: string;
  /** The bundled minor in use, such as `1.37`; null where documents of a cluster are used instead. */
  kubernetes: string | null;
  /** The number of kinds that CustomResourceDefinitions declare. */
  crdKinds: number;
  /** The kinds that the workspace's RGDs declare, as `group/Kind`: their objects are instances. */
  instanceKinds: string[];
}
