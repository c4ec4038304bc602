// The icon of a kind and the colour of its family. The icons are our own: lines on a grid of 24 by 24.

const GLYPHS = {
  rollout: 'M19.5 12a7.5 7.5 0 1 1-2.2-5.3 M19.8 3.5v4h-4 M12 8.5l3 1.8v3.4l-3 1.8-3-1.8v-3.4z',
  stateful:
    'M5 6.5C5 5 8.1 4 12 4s7 1 7 2.5S15.9 9 12 9 5 8 5 6.5z M5 6.5v11C5 19 8.1 20 12 20s7-1 7-2.5v-11 M5 12c0 1.5 3.1 2.5 7 2.5s7-1 7-2.5',
  replicas: 'M9 9h11v11H9z M6 15.5H4V4h11.5v2',
  everywhere: 'M4 4h6.5v6.5H4z M13.5 4H20v6.5h-6.5z M4 13.5h6.5V20H4z M13.5 13.5H20V20h-6.5z',
  pod: 'M12 3l8 4.5v9L12 21l-8-4.5v-9z M4 7.5l8 4.5 8-4.5 M12 12v9',
  job: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z M8 12l3 3 5-6',
  clock: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z M12 7.5V12l3.5 2',
  scale: 'M3 12h18 M7.5 7.5L3 12l4.5 4.5 M16.5 7.5L21 12l-4.5 4.5 M12 5v14',
  shield: 'M12 3l8 3v6c0 4.5-3.4 7.8-8 9-4.6-1.2-8-4.5-8-9V6z',
  guard: 'M12 3l8 3v6c0 4.5-3.4 7.8-8 9-4.6-1.2-8-4.5-8-9V6z M8.5 12l2.5 2.5L15.5 10',
  service: 'M9 3h6v5H9z M12 8v8 M5 16v-4h14v4 M3 16h4v4.5H3z M10 16h4v4.5h-4z M17 16h4v4.5h-4z',
  entrance: 'M13 4h6.5v16H13 M3.5 12H14 M10 8l4 4-4 4',
  route: 'M4 6.5h4.5l6 11H20 M4 17.5h4.5L10 15 M13 9l1.5-2.5H20 M17 3.5l3 3-3 3 M17 14.5l3 3-3 3',
  wall: 'M4 5h16v14H4z M4 9.7h16 M4 14.4h16 M12 5v4.7 M8 9.7v4.7 M16 9.7v4.7 M12 14.4V19',
  file: 'M6 3h8.5L19 7.5V21H6z M14 3v5h5 M9 12.5h7 M9 16.5h7',
  lock: 'M5.5 11h13v9.5h-13z M8 11V8a4 4 0 0 1 8 0v3 M12 14.5v2.5',
  person: 'M12 3.5a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.4z M4 20.5c.7-4.2 3.9-6 8-6s7.3 1.8 8 6',
  key: 'M15 3.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11z M11 13l-7 7 M6.5 17.5L9 20',
  link: 'M10 14a4.2 4.2 0 0 0 6 0l3-3a4.2 4.2 0 0 0-6-6l-1 1 M14 10a4.2 4.2 0 0 0-6 0l-3 3a4.2 4.2 0 0 0 6 6l1-1',
  disk: 'M3.5 14.5h17V20h-17z M3.5 14.5L6 4h12l2.5 10.5 M16 17.2h1.5',
  bucket: 'M4 6c0-1.5 3.6-2.5 8-2.5s8 1 8 2.5-3.6 2.5-8 2.5S4 7.5 4 6z M4 6l2 12.5C6.5 19.8 9 20.5 12 20.5s5.5-.7 6-2L20 6',
  namespace: 'M4 7V4h3 M10.5 4h3 M17 4h3v3 M20 10.5v3 M20 17v3h-3 M13.5 20h-3 M7 20H4v-3 M4 13.5v-3',
  gauge: 'M4 17.5a8.5 8.5 0 1 1 16 0 M12 16l4-5.5 M6 17.5h12',
  braces: 'M9 4c-3.5 0-1.5 6-4.5 8 3 2 1 8 4.5 8 M15 4c3.5 0 1.5 6 4.5 8-3 2-1 8-4.5 8',
  queue: 'M3.5 8h4.5v8H3.5z M10 8h4.5v8H10z M17 12h4 M18.8 9.5L21.3 12l-2.5 2.5',
  globe: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z M3.5 12h17 M12 3.5c3.5 3 3.5 14 0 17 M12 3.5c-3.5 3-3.5 14 0 17',
  lambda: 'M6 4h3.5L17 20h2 M11.5 9.5L6 20',
  cluster: 'M12 3l7.8 4.5v9L12 21l-7.8-4.5v-9z M12 8.5L15 10.3v3.4L12 15.5 9 13.7v-3.4z',
  ribbon: 'M12 3.5a5.8 5.8 0 1 0 0 11.6 5.8 5.8 0 0 0 0-11.6z M8.5 14l-1 7 4.5-2.5 4.5 2.5-1-7',
  chart: 'M4 4v16h16 M8 15.5l3.5-4.5 3 2.5L19.5 7',
  cloud: 'M7 18.5a4.5 4.5 0 0 1-.6-9A6 6 0 0 1 18 9.7a4.5 4.5 0 0 1-.5 8.8z',
  graph: 'M4 4h6v6H4z M14 14h6v6h-6z M10 7h7v7 M7 10v7h7',
  chain: 'M5 4v12 M5 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4z M19 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4z M19 8c0 5-7 4-14 8',
  cube: 'M12 3l8 4.5v9L12 21l-8-4.5v-9z',
} as const;

export type Glyph = keyof typeof GLYPHS;

/** The colours of families: workloads, network, configuration, data, access, everything else. */
export type Family = 0 | 1 | 2 | 3 | 4 | 5;

export interface Icon {
  path: string;
  family: Family;
}

/** `groups` are the API groups in which a kind means that. */
type Rule = readonly [name: RegExp, glyph: Glyph, family: Family, groups?: RegExp];

/** By kind, of any API group: many controllers name their kinds alike. */
const KINDS: readonly Rule[] = [
  [/^Deployment$/, 'rollout', 0],
  [/^Rollout$/, 'rollout', 0],
  [/^StatefulSet$/, 'stateful', 0],
  [/^DaemonSet$/, 'everywhere', 0],
  [/^Replica(Set|tionController)$/, 'replicas', 0],
  [/^Pod(Template)?$/, 'pod', 0],
  [/^(Job|Workflow)$/, 'job', 0],
  [/^(CronJob|CronWorkflow|Schedule)$/, 'clock', 0],
  [/Autoscal|^ScaledObject$|^ScalableTarget/, 'scale', 0],
  [/^PodDisruptionBudget$/, 'guard', 0],
  [/^PriorityClass$/, 'gauge', 0],
  [/^(Function|.*Lambda.*)$/, 'lambda', 0],
  [/^(Ingress|IngressClass|Gateway|GatewayClass|LoadBalancer.*|.*Listener)$/, 'entrance', 1],
  [/Route(Table|r)?$|^VirtualService$|^API$|^Integration$|^Stage$/, 'route', 1],
  [/^NetworkPolicy$|SecurityGroup|Firewall/, 'wall', 1],
  [/^Service$/, 'service', 1, /^core$|knative/],
  [/Endpoint|TargetGroup/, 'service', 1],
  [/^(VPC|Vpc).*|Subnet|Network|Gateway|ElasticIP|^DNS|Zone$|RecordSet|Address$/, 'globe', 1],
  [/^Secret(Store)?$|ExternalSecret|^KMS|^Key(Ring)?$/, 'lock', 2],
  [/^(ConfigMap|.*Config|.*Parameter|.*ParameterGroup|Release|HelmRelease)$/, 'file', 2],
  [/^Namespace$/, 'namespace', 2],
  [/^(LimitRange|ResourceQuota|.*Quota)$/, 'gauge', 2],
  [/^CustomResourceDefinition$|WebhookConfiguration$/, 'braces', 2],
  [/^(PersistentVolume.*|StorageClass|Volume.*|CSI.*|EBS.*|.*FileSystem|.*Disk)$/, 'disk', 3],
  [/Bucket|Repository|Registry/, 'bucket', 3],
  [/Queue|Topic|Stream|Subscription|Broker|Kafka/, 'queue', 3],
  [/Database|Table|^DB|SQL|Postgres|Redis|Cache|Mongo|DBInstance/, 'stateful', 3],
  [/^ServiceAccount$|^(IAM)?User$/, 'person', 4],
  [/^(Cluster)?RoleBinding$|PolicyMember$|PolicyBinding$|PodIdentityAssociation|Attachment$/, 'link', 4],
  [/Role$|^AccessEntry$/, 'key', 4],
  [/Policy$/, 'shield', 4],
  [/Certificate|Issuer/, 'ribbon', 4],
  [/Monitor|Prometheus|Alarm|Dashboard|^Log|Metric/, 'chart', 5],
  [/Cluster$|^(Nodegroup|NodePool|Machine.*|FargateProfile|Addon)$/, 'cluster', 5],
  [/^(ResourceGraphDefinition|Graph|graph)$/, 'graph', 5],
  [/^def$/, 'braces', 5],
  [/^(Application|ApplicationSet|GitRepository|Kustomization)$/, 'chain', 5],
];

/** For kinds that no rule above knows. */
const API_GROUPS: readonly Rule[] = [
  [/^kro\.run$/, 'graph', 5],
  [/\.k8s\.aws$|\.aws\.|\.google\.com$|\.azure\.com$|crossplane|upbound\.io$/, 'cloud', 5],
  [/^(apps|batch)$/, 'pod', 0],
  [/networking|gateway|istio|cilium/, 'globe', 1],
  [/^rbac\.|iam|auth/, 'key', 4],
  [/storage/, 'disk', 3],
  [/cert-manager|acme/, 'ribbon', 4],
  [/monitoring|metrics|telemetry/, 'chart', 5],
  [/argoproj|fluxcd/, 'chain', 5],
];

/** The icon of a kind; one of its API group, or a plain cube, where the kind is not known. */
export function iconOf(kind: string, apiVersion: string | null): Icon {
  const group = apiVersion?.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  const [, glyph, family] = KINDS.find(([name, , , groups = /./]) => name.test(kind) && groups.test(group || 'core')) ??
    API_GROUPS.find(([name]) => name.test(group)) ?? [/./, 'cube' as const, 5 as const];
  return { path: GLYPHS[glyph], family };
}
